package io.plat.cli.policytest;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.question.KnownVerbs;
import io.plat.cli.question.ResourceType;
import io.plat.cli.question.ResourceTypes;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.engine.explain.PolicyNames;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A first test of a policy: for each named subject one request that is allowed and one that is denied, as the policy decides now. Its author
 * keeps those that are intended.
 *
 * @param authorizer decides by the policy
 * @param names the names in the policy
 */
record TestDraft(Authorizer authorizer, PolicyNames names) {
    private static final int MAX_SUBJECTS = 100;

    static TestDraft of(PolicyDocuments policy) {
        Authorizer authorizer = policy.authorizer();
        return new TestDraft(authorizer, Explainer.of("the policy", authorizer).names());
    }

    /** Returns the document as YAML. */
    String yaml(List<Path> policies) {
        StringBuilder yaml = new StringBuilder("kind: PolicyTest\npolicies: ")
                .append(list(policies.stream().map(Path::toString).toList()))
                .append("\ncases:");
        names.subjects().stream()
                .filter(subject -> subject.kind() != SubjectName.Kind.EVERYBODY)
                .limit(MAX_SUBJECTS)
                .map(SubjectUsers::of)
                .forEach(user -> cases(user, yaml));
        return yaml.toString();
    }

    private void cases(UserInfo user, StringBuilder yaml) {
        List<String> namespaces = new ArrayList<>(names.namespaces());
        namespaces.add("default");
        find(user, true, List.of("secrets", "pods", "configmaps", "deployments"), namespaces)
                .ifPresent(asked -> yaml.append(line(user, asked, "allow")));
        find(user, false, List.of("secrets", "pods"), namespaces)
                .ifPresent(asked -> yaml.append(line(user, asked, "deny")));
    }

    /** Returns the first request with this decision: those for some resources precede the others. */
    private Optional<ResourceAttributes> find(
            UserInfo user, boolean allowed, List<String> first, List<String> namespaces) {
        List<ResourceType> types = ResourceTypes.builtIn().all();
        return Stream.concat(
                        types.stream().filter(type -> first.contains(type.resource())),
                        types.stream().filter(type -> !first.contains(type.resource())))
                .flatMap(type -> KnownVerbs.OF_RESOURCES.stream()
                        .flatMap(verb -> (type.namespaced() ? namespaces : List.of("")).stream()
                                .map(namespace -> ResourceAttributes.ofWritten(
                                        namespace, verb, type.group(), type.resource(), ""))))
                .filter(asked ->
                        authorizer.authorize(new Attributes(user, asked)) instanceof Decision.Allow == allowed)
                .findFirst();
    }

    private static String line(UserInfo user, ResourceAttributes asked, String expected) {
        List<String> groups = user.name().isEmpty()
                ? user.groups().subList(0, 1)
                : user.groups().stream()
                        .filter(group -> !group.startsWith("system:"))
                        .toList();
        String who = user.name().isEmpty() ? String.join(", ", groups) : user.name();
        String name = who + (expected.equals("allow") ? " may " : " may not ") + asked.verb() + " " + asked.resource();
        return "\n  - {name: " + JsonText.quoted(name) + (user.name().isEmpty() ? "" : ", user: " + JsonText.quoted(user.name()))
                + (groups.isEmpty() ? "" : ", groups: " + list(groups)) + ", verb: " + asked.verb() + ", resource: "
                + asked.resource() + (asked.group().isEmpty() ? "" : ", apiGroup: " + asked.group())
                + (asked.namespace().isEmpty() ? "" : ", namespace: " + JsonText.quoted(asked.namespace())) + ", expect: "
                + expected + "}";
    }

    private static String list(List<String> words) {
        return "[" + String.join(", ", words.stream().map(JsonText::quoted).toList()) + "]";
    }
}
