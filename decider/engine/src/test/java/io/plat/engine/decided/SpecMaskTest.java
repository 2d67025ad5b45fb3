package io.plat.engine.decided;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.FixedGrant;
import io.plat.engine.Grant;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecMaskTest {
    private static final Attributes REQUEST = new Attributes(Samples.ALICE, Samples.PODS);

    private static SpecMask mask(String... paths) {
        return new SpecMask(
                Stream.of(paths).map(path -> SpecField.of(path).orElseThrow()).collect(Collectors.toSet()));
    }

    @Test
    void withoutFieldsNothingIsMasked() {
        assertThat(mask().apply(REQUEST)).isEqualTo(new SpecMask.Masked(REQUEST, Set.of(), false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user | alice",
                "uid | u-42",
                "groups | developers staff",
                "extra | read write s3cret",
                "extra.scopes | read write",
                "extra.example.com/token | s3cret",
                "resourceAttributes.namespace | team-a",
                "resourceAttributes.name | web-0",
                "resourceAttributes.fieldSelector | spec.nodeName=n1",
                "resourceAttributes.labelSelector | payroll web",
            })
    void exactlyTheFieldsValuesAreHidden(String path, String values) {
        List<String> hidden = List.of(values.split(" "));
        SpecMask.Masked masked = mask(path).apply(REQUEST);
        assertThat(masked.hidden()).containsExactlyInAnyOrderElementsOf(hidden);
        assertThat(masked.shown().toString()).contains(SpecMask.MARK);
        Stream.of("alice", "u-42", "developers", "staff", "read", "write", "s3cret", "team-a", "web-0")
                .forEach(value -> assertThat(masked.shown().toString().contains(value))
                        .as(value)
                        .isNotEqualTo(hidden.contains(value)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resourceAttributes.name | web-0",
                "resourceAttributes.namespace | team-a",
                "user | alice",
                "groups | staff",
                "extra | s3cret",
                "resourceAttributes.labelSelector | payroll",
            })
    void fieldsThatRepeatAHiddenValueAreMaskedToo(String path, String value) {
        Attributes repeating = new Attributes(
                new UserInfo(
                        "system:serviceaccount:team-a:" + (path.equals("user") ? "bot" : value),
                        value,
                        List.of("system:serviceaccounts:" + value, "staff"),
                        Map.of("example.com/pod", List.of("x", value), "scopes", List.of("s3cret"))),
                new ResourceAttributes(
                        "team-a",
                        "list",
                        "",
                        "v1",
                        "pods",
                        "",
                        path.endsWith("name") ? value : "other/" + value,
                        selector("metadata.name", value),
                        selector("app", value)));
        Attributes request =
                path.equals("user") ? new Attributes(user(value, repeating), repeating.access()) : repeating;
        assertThat(mask(path).apply(request).shown().toString()).doesNotContain(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec.owner=https://idp.x#al-q", "x in (\"al-q\")", "al\\-q=1", "x%3Dal-q", "x=y\tal-q"})
    void selectorsAreMaskedTogetherWithNames(String raw) {
        Attributes request = new Attributes(
                new UserInfo(
                        "https://idp.x#al-q",
                        "",
                        List.of("mail:https://idp.x#al-q"),
                        Map.of("pre/https://idp.x#al-q", List.of("1"))),
                new ResourceAttributes(
                        "", "list", "", "v1", "pods", "", "", new SelectorAttributes(raw, List.of()), null));
        assertThat(mask("user").apply(request).shown().toString()).doesNotContain("al-q", "al\\-q");
    }

    @Test
    void aMaskedServiceAccountHidesItsNamespaceAndName() {
        Attributes request = new Attributes(
                new UserInfo(
                        "system:serviceaccount:team-q:robot-q", "", List.of("system:serviceaccounts:team-q"), Map.of()),
                new ResourceAttributes("team-q", "get", "", "v1", "serviceaccounts", "", "robot-q"));
        assertThat(mask("user").apply(request).shown().toString()).doesNotContain("team-q", "robot-q");
    }

    private static UserInfo user(String name, Attributes like) {
        UserInfo user = like.user();
        return new UserInfo(name, user.uid(), user.groups(), user.extra());
    }

    private static SelectorAttributes selector(String key, String value) {
        return new SelectorAttributes(
                key + "=" + value, List.of(new SelectorAttributes.Requirement(key, "In", List.of(value))));
    }

    @Test
    void keysOfExtraAreShownWithoutTheNumberOfValues() {
        assertThat(mask("extra").apply(REQUEST).shown().user().extra())
                .isEqualTo(Map.of(
                        "scopes", List.of(SpecMask.MARK),
                        "example.com/token", List.of(SpecMask.MARK)));
    }

    @Test
    void absentFieldsStayAbsent() {
        Attributes bare =
                new Attributes(new UserInfo("", List.of()), new ResourceAttributes("", "list", "", "", "pods", "", ""));
        SpecMask all = mask("user", "uid", "groups", "extra", "resourceAttributes.name");
        assertThat(all.apply(bare)).isEqualTo(new SpecMask.Masked(bare, Set.of(), true));
    }

    @Test
    void pathsAreMasked() {
        Attributes request = new Attributes(Samples.ALICE, new NonResourceAttributes("/reset/t0ken", "get"));
        assertThat(mask("nonResourceAttributes.path").apply(request).shown().access())
                .isEqualTo(new NonResourceAttributes(SpecMask.MARK, "get"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "groups", "uid", "extra.scopes", "resourceAttributes.name"})
    void maskedReasonsHaveNoTextOfRequestsOrOtherPrograms(String field) {
        SpecMask.Masked masked = mask(field).apply(REQUEST);
        for (String free : List.of(
                "User \"alice\" may not",
                "anything",
                "al\\u0069ce",
                "refused by plug-in \"x\": YWxpY2U=",
                "no RBAC policy matched; alice",
                "webhook https://d: 500 alice")) {
            assertThat(masked.text(free)).isEqualTo(SpecMask.MARK);
        }
        for (String fixed : List.of("", "no RBAC policy matched", "No policy matched.; no RBAC policy matched")) {
            assertThat(masked.text(fixed)).isEqualTo(fixed);
        }
        assertThat(masked.reason(new Written())).isEqualTo(SpecMask.MARK);
        assertThat(masked.reason(new FixedGrant("RBAC", "group staff", "everything", "allowed by membership in staff")))
                .isEqualTo("RBAC: allowed");
        assertThat(mask().apply(REQUEST).reason(new Written())).isEqualTo("alice may");
    }

    /** "deployer/ci" must not appear if the user system:serviceaccount:ci:deployer is masked. */
    @Test
    void theReasonOfAGrantHasNoSubjectNamespaceOrRule() {
        var grant = new RbacGrant(
                new RbacBinding(
                        new ObjectKey(RbacKind.ROLE_BINDING, "ci", "deploys"),
                        List.of(new RbacSubject("ServiceAccount", "", "ci", "deployer")),
                        new RoleRef("rbac.authorization.k8s.io", "Role", "", "edits"),
                        null),
                new RbacSubject("ServiceAccount", "", "ci", "deployer"),
                new RbacRole(new ObjectKey(RbacKind.ROLE, "ci", "edits"), Map.of(), List.of(), null, null),
                new RbacRule(List.of("get"), List.of(""), List.of("secrets"), List.of("web-0"), List.of(), null));
        assertThat(grant.reason()).contains("deployer/ci", "web-0");
        assertThat(mask("user").apply(REQUEST).reason(grant))
                .isEqualTo("RBAC: allowed by RoleBinding \"deploys\" of Role \"edits\"");
    }

    /** Like grants of webhooks and plug-ins. */
    private record Written() implements Grant {
        @Override
        public String authorizer() {
            return "Webhook";
        }

        @Override
        public String source() {
            return "https://decider";
        }

        @Override
        public String rule() {
            return "alice may";
        }

        @Override
        public String reason() {
            return "alice may";
        }

        @Override
        public String maskedReason() {
            return "";
        }
    }

    @Test
    void aNameIsMaskedWhereItIsAHiddenValue() {
        SpecMask.Masked masked = mask("user").apply(REQUEST);
        assertThat(masked.name("alice")).isEqualTo(SpecMask.MARK);
        assertThat(masked.name("alice-server")).isEqualTo("alice-server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "verb", "resourceAttributes", "resourceAttributes.verb", "extra.", "User", "group"})
    void otherFieldsCannotBeMasked(String path) {
        assertThat(SpecField.of(path)).isEmpty();
    }

    @Test
    void onlyExtraHasKeys() {
        assertThatThrownBy(() -> new SpecField(SpecField.Name.USER, "key"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
