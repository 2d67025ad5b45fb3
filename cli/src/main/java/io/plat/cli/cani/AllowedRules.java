package io.plat.cli.cani;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.SubjectOptions;
import io.plat.cli.ask.Source;
import io.plat.cli.ask.Told;
import io.plat.cli.output.Table;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Me;
import io.plat.cli.server.Refused;
import io.plat.engine.explain.Explainer;
import io.plat.engine.webhook.OneLine;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.MalformedAnswerException;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.source.Quoted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Everything that somebody may do in a namespace: {@code can-i --list}. */
final class AllowedRules {
    private static final ReviewVersion ASKED = ReviewVersion.K8S_V1;
    private static final String PATH = "/apis/" + ASKED.apiVersion() + "/" + RulesReview.RESOURCE;

    private final Plat program;
    private final Source source;
    private final SubjectOptions who;
    private final RulesReviewCodec codec = new RulesReviewCodec();

    AllowedRules(Plat program, Source source, SubjectOptions who) {
        this.program = program;
        this.source = source;
        this.who = who;
    }

    /** Prints it; the exit status. */
    int print(QuestionOptions where) {
        String namespace = where.namespace == null ? source.namespace() : where.namespace;
        if (namespace.isEmpty()) {
            throw CommandException.usage("--namespace: expected a name, found \"\"");
        }
        RulesReview asked = new RulesReview(ASKED, namespace);
        Told<RuleListing> told = switch (source) {
            case Source.Files files -> byFiles(files, asked);
            case Source.Server server -> byServer(server.connection(), asked);
        };
        if (told.said().incomplete()) {
            program.report()
                    .warn("the list may be incomplete: "
                            + OneLine.of(told.said().error()));
        }
        switch (program.format()) {
            case TEXT -> table(told.said()).lines().forEach(program.report()::print);
            case JSON, YAML -> program.report().printDocument(told.json(), program.format());
        }
        return ExitStatus.YES;
    }

    private Told<RuleListing> byFiles(Source.Files files, RulesReview asked) {
        UserInfo user = who.subject().orElseThrow();
        RuleListing rules =
                Explainer.of("the policy", files.policy().authorizer()).rules(user, asked.namespace());
        return new Told<>(rules, codec.encode(asked, rules));
    }

    private Told<RuleListing> byServer(HttpsConnection server, RulesReview asked) {
        Map<String, List<String>> fields = impersonation(server);
        Answer answer = server.post(PATH, codec.encodeQuestion(asked), "application/json", fields);
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        try {
            return new Told<>(codec.decodeAnswer(answer.body(), ASKED), answer.body());
        } catch (MalformedAnswerException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * A server tells such a list to the user alone whom it is about, so that somebody else is asked for in his name. A server that does
     * not know how to do that would answer for the asker.
     */
    private Map<String, List<String>> impersonation(HttpsConnection server) {
        if (who.user == null) {
            return Map.of();
        }
        if (who.exactGroups) {
            throw CommandException.usage("--exact-groups: a server adds groups to the user whom a list is asked for");
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        fields.put("Impersonate-User", List.of(who.user));
        if (!who.groups.isEmpty()) {
            fields.put("Impersonate-Group", List.copyOf(who.groups));
        }
        UserInfo seen = Me.at(server, fields);
        if (!seen.name().equals(who.user)) {
            throw CommandException.couldNotTell(server.server() + " lists what " + Quoted.of(seen.name())
                    + " may do and nobody else, as a decider does; ask an API server, or give the policy files");
        }
        return fields;
    }

    private static Table table(RuleListing rules) {
        Table table = new Table("Resources", "Non-Resource URLs", "Resource Names", "Verbs");
        for (ResourceRule rule : rules.resources().items()) {
            for (String group : rule.apiGroups()) {
                for (String resource : rule.resources()) {
                    table.row(name(resource, group), "[]", list(rule.resourceNames()), list(rule.verbs()));
                }
            }
        }
        for (PathRule rule : rules.paths().items()) {
            table.row("", list(rule.paths()), "[]", list(rule.verbs()));
        }
        return table;
    }

    /** As kubectl writes it: the group between the resource and its subresource does not fit anywhere else. */
    private static String name(String resource, String group) {
        int slash = resource.indexOf('/');
        String base = slash < 0 ? resource : resource.substring(0, slash);
        String rest = slash < 0 ? "" : resource.substring(slash);
        return OneLine.of(group.isEmpty() ? resource : base + "." + group + rest);
    }

    private static String list(List<String> values) {
        return values.stream().map(OneLine::of).collect(Collectors.joining(" ", "[", "]"));
    }
}
