package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.output.Report;
import io.plat.cli.output.Report.Table;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestText;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.PolicyFileSource;
import io.plat.cli.request.ServerSource;
import io.plat.cli.server.DecodedResponse;
import io.plat.cli.server.HttpsConnection;
import io.plat.review.ResourceAttributes;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.source.Quoted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rules of a user in a namespace: {@code can-i --list}. */
record AllowedRules(Program plat, SubjectOptions subject) {
    int print(DecisionSource source, ScopeOptions scope) {
        String namespace = scope.namespace == null ? source.namespace() : scope.namespace;
        if (namespace.isEmpty()) {
            throw CommandException.usage("--namespace: expected a name, found \"\"");
        }
        RulesReviewCodec codec = new RulesReviewCodec();
        RulesReview requested = new RulesReview(DecisionSource.REVIEW_VERSION, namespace);
        DecodedResponse<RuleListing> answer = switch (source) {
            case PolicyFileSource files -> {
                RuleListing rules = files.explainer().rules(subject.subject().orElseThrow(), namespace);
                yield new DecodedResponse<>(rules, codec.encode(requested, rules));
            }
            case ServerSource server ->
                server.connection()
                        .read(
                                server.post(
                                        RulesReview.RESOURCE,
                                        version -> codec.encodeRequest(new RulesReview(version, namespace)),
                                        impersonation(server.connection())),
                                body -> codec.decodeResponse(body, server.version()));
        };
        if (answer.value().incomplete()) {
            plat.report()
                    .warn("the list may be incomplete: "
                            + Quoted.shortLine(answer.value().error()));
        }
        plat.print(report -> report.print(table(answer.value())), answer::json);
        return answer.value().incomplete() ? ExitStatus.UNDETERMINED : ExitStatus.YES;
    }

    /**
     * Returns the headers to impersonate another user, as a server lists rules for the caller only. A server without impersonation would list
     * those of the caller.
     */
    private Map<String, List<String>> impersonation(HttpsConnection server) {
        if (subject.user == null) {
            return Map.of();
        }
        if (subject.exactGroups) {
            throw CommandException.usage(
                    "--exact-groups: not supported with --list, as a server adds groups to the user");
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        fields.put("Impersonate-User", List.of(subject.user));
        if (!subject.groups.isEmpty()) {
            fields.put("Impersonate-Group", List.copyOf(subject.groups));
        }
        UserInfo effective = server.currentUser(fields).value();
        if (!effective.name().equals(subject.user)) {
            throw CommandException.undetermined(server.server() + " lists what " + Quoted.of(effective.name())
                    + " may do and no other user's rules, like a decider; use an API server, or policy files");
        }
        return fields;
    }

    private static Table table(RuleListing rules) {
        Table table = new Table("Resources", "Non-Resource URLs", "Resource Names", "Verbs");
        for (ResourceRule rule : rules.resources().items()) {
            for (String group : rule.apiGroups()) {
                for (String resource : rule.resources()) {
                    table.row(
                            name(group, resource), "[]", Report.list(rule.resourceNames()), Report.list(rule.verbs()));
                }
            }
        }
        for (PathRule rule : rules.paths().items()) {
            table.row("", Report.list(rule.paths()), "[]", Report.list(rule.verbs()));
        }
        return table;
    }

    /** Returns the name as kubectl writes it, with the group between the resource and its subresource. */
    private static String name(String group, String resource) {
        return Quoted.shortLine(AccessRequestText.target(ResourceAttributes.ofWritten("", "", group, resource, "")));
    }
}
