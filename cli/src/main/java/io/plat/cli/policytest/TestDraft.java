package io.plat.cli.policytest;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.request.AccessRequestText;
import io.plat.cli.request.KnownVerbs;
import io.plat.cli.request.ResourceTypes;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A first test of a policy: for each named subject one request that is allowed and one that is denied, as the policy decides now. The
 * author reviews them.
 */
record TestDraft(Authorizer authorizer, List<String> namespaces) {
    private static final int MAX_SUBJECTS = 100;

    /** Returns a document of kind PolicyTest, as YAML. */
    static String yaml(PolicyDocuments policy, List<Path> files) {
        Authorizer authorizer = policy.authorizer();
        PolicyNames names = Explainer.of("the policy", authorizer).names();
        List<String> namespaces = new ArrayList<>(names.namespaces());
        namespaces.add("default");
        TestDraft draft = new TestDraft(authorizer, namespaces);
        return names.subjects().stream()
                .filter(subject -> subject.kind() != SubjectName.Kind.EVERYBODY)
                .limit(MAX_SUBJECTS)
                .map(SubjectUsers::of)
                .flatMap(user -> Stream.of(
                                draft.line(user, "allow", List.of("pods", "configmaps", "secrets", "deployments")),
                                draft.line(user, "deny", List.of("pods", "secrets")))
                        .flatMap(Optional::stream))
                .collect(Collectors.joining(
                        "\n",
                        "kind: PolicyTest\npolicies: "
                                + list(files.stream().map(Path::toString).toList()) + "\ncases:\n",
                        ""));
    }

    /** Returns a case with this decision, if there is one, preferably of one of the first types. */
    private Optional<String> line(UserInfo user, String decision, List<String> first) {
        return ResourceTypes.builtIn().all().stream()
                .sorted(Comparator.comparing(type -> !first.contains(type.resource())))
                .flatMap(type -> KnownVerbs.OF_RESOURCES.stream()
                        .flatMap(verb -> (type.namespaced() ? namespaces : List.of(""))
                                .stream()
                                        .map(namespace -> ResourceAttributes.ofWritten(
                                                namespace, verb, type.group(), type.resource(), ""))))
                .filter(requested -> authorizer.authorize(new Attributes(user, requested)) instanceof Decision.Allow
                        == decision.equals("allow"))
                .findFirst()
                .map(requested -> line(user, requested, decision));
    }

    private static String line(UserInfo user, ResourceAttributes requested, String decision) {
        boolean group = user.name().isEmpty();
        List<String> groups = user.groups().stream()
                .filter(name -> group || !name.startsWith("system:"))
                .limit(1)
                .toList();
        String may = decision.equals("allow") ? " may " : " may not ";
        return "  - {name: "
                + JsonText.quoted((group ? groups.getFirst() : user.name()) + may + AccessRequestText.of(requested))
                + (group ? "" : ", user: " + JsonText.quoted(user.name()))
                + (groups.isEmpty() ? "" : ", groups: " + list(groups)) + ", verb: "
                + requested.verb() + ", resource: " + requested.resource()
                + (requested.group().isEmpty() ? "" : ", apiGroup: " + requested.group())
                + (requested.namespace().isEmpty() ? "" : ", namespace: " + JsonText.quoted(requested.namespace()))
                + ", expect: " + decision + "}";
    }

    private static String list(List<String> words) {
        return words.stream().map(JsonText::quoted).collect(Collectors.joining(", ", "[", "]"));
    }
}
