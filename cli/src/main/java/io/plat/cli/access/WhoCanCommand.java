package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.NamespaceSweep;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.output.Report.Table;
import io.plat.cli.output.SourceObject;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.SubjectCheck;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat who-can}: all subjects with an access. */
@Command(name = "who-can", mixinStandardHelpOptions = true)
public final class WhoCanCommand extends PlatCommand {
    @Mixin
    private AccessArguments target = new AccessArguments();

    @Option(names = "--every-namespace")
    private boolean everyNamespace;

    @Override
    public int run(Program plat) {
        target.scope.allNamespaces |= everyNamespace;
        DecisionSource source = target.source(plat);
        AccessRequest request = target.request(plat, source);
        DecodedResponse<SubjectListing> listing = subjects(source, request.access());
        plat.warnUnexplained(listing.value().unexplained());
        if (plat.format() == OutputFormat.TEXT) {
            plat.report().warn(SubjectCheck.misspelledNamespace(source, request.access()));
            target.scope.assumed(source.namespace(), request.access()).forEach(plat.report()::note);
        }
        Map<String, DecodedResponse<SubjectListing>> byNamespace = new LinkedHashMap<>();
        if (target.scope.allNamespaces && !everyNamespace) {
            NamespaceSweep.each(
                    plat,
                    source,
                    request.access(),
                    (namespace, access) -> byNamespace.put(namespace, subjects(source, access)));
        }
        Map<SubjectName, Row> rows = rows(listing.value(), byNamespace);
        plat.print(
                report -> print(
                        report,
                        rows,
                        !byNamespace.isEmpty(),
                        listing.value().subjects().leftOut()),
                () -> NamespaceSweep.document(
                        GrantDocument.structured(listing.json()),
                        byNamespace.values().stream()
                                .map(one -> GrantDocument.structured(one.json()))
                                .toList()));
        return rows.isEmpty() ? ExitStatus.NO : ExitStatus.YES;
    }

    private static DecodedResponse<SubjectListing> subjects(DecisionSource source, AccessAttributes access) {
        return source.subjects(
                new AccessReview(ReviewKind.SUBJECT_LISTING, DecisionSource.REVIEW_VERSION, null, access));
    }

    /**
     * A subject.
     *
     * @param through the first grant, and the number of others
     * @param namespaces the namespaces in which it has the access; none for all requested ones
     */
    private record Row(String through, List<String> namespaces) {}

    private static Map<SubjectName, Row> rows(
            SubjectListing requested, Map<String, DecodedResponse<SubjectListing>> byNamespace) {
        Map<SubjectName, Row> rows = new LinkedHashMap<>();
        requested
                .subjects()
                .items()
                .forEach(one -> rows.put(one.subject(), new Row(through(one.through()), List.of())));
        Set<SubjectName> everywhere = Set.copyOf(rows.keySet());
        byNamespace.forEach((namespace, listing) -> {
            for (ListedSubject subject : listing.value().subjects().items()) {
                if (!everywhere.contains(subject.subject())) {
                    rows.computeIfAbsent(
                                    subject.subject(), any -> new Row(through(subject.through()), new ArrayList<>()))
                            .namespaces()
                            .add(Quoted.name(namespace));
                }
            }
        });
        return rows;
    }

    private static void print(Report report, Map<SubjectName, Row> rows, boolean byNamespace, long leftOut) {
        if (rows.isEmpty()) {
            report.print("nobody");
            return;
        }
        Table table = byNamespace
                ? new Table("KIND", "NAMESPACE", "NAME", "ALLOWED IN", "THROUGH")
                : new Table("KIND", "NAMESPACE", "NAME", "THROUGH");
        rows.forEach((subject, row) -> {
            List<String> cells = new ArrayList<>(List.of(
                    subject.kind() == SubjectName.Kind.EVERYBODY
                            ? "Everybody"
                            : subject.kind().word(),
                    Quoted.name(subject.namespace()),
                    Quoted.name(subject.name())
                            + (subject.inGroup().isEmpty() ? "" : " in group " + Quoted.name(subject.inGroup()))));
            if (byNamespace) {
                cells.add(row.namespaces().isEmpty() ? "all namespaces" : String.join(",", row.namespaces()));
            }
            cells.add(row.through());
            table.row(cells.toArray(String[]::new));
        });
        report.print(table);
        if (leftOut > 0) {
            report.print("and " + leftOut + " more");
        }
    }

    private static String through(BoundedList<NamedGrant> grants) {
        NamedGrant first = grants.items().getFirst();
        long more = grants.items().size() - 1 + grants.leftOut();
        return Quoted.shortLine(first.authorizer()) + ": " + Quoted.shortLine(first.source())
                + (more == 0 ? "" : " (and " + more + " more)");
    }

    /** Arguments of a command about one access: verb, resource and namespace. */
    public static final class AccessArguments {
        @Mixin
        DecisionOptions decisions = new DecisionOptions();

        @Parameters(index = "0", paramLabel = "VERB")
        private String verb = "";

        @Parameters(index = "1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
        private String target = "";

        @Mixin
        ScopeOptions scope = new ScopeOptions();

        /** Returns the source of decisions; invalid arguments are rejected before any file or server is used. */
        DecisionSource source(Program program) {
            decisions.check(verb, target, scope);
            return decisions.source(program, false);
        }

        /**
         * Parses the request; unknown names are warned about.
         *
         * @throws io.plat.cli.process.CommandException if it is invalid
         */
        AccessRequest request(Program program, DecisionSource source) {
            AccessRequest request = decisions.request(source, verb, target, scope);
            program.report().warn(request.warnings());
            program.report().warn(request.unknown());
            return request;
        }
    }

    /** JSON form of an explanation or a listing: the source of a grant, its binding, role and rule as objects. Servers send them as text. */
    static final class GrantDocument {
        private GrantDocument() {}

        static @Nullable Object structured(byte[] response) {
            try {
                return walk(JsonDocument.read(response));
            } catch (IOException e) {
                throw CommandException.io("the answer is not a JSON document", e);
            }
        }

        private static @Nullable Object walk(@Nullable Object value) {
            if (value instanceof List<?> list) {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(walk(item)));
                return items;
            }
            if (!(value instanceof Map<?, ?> map)) {
                return value;
            }
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            boolean grant = map.get("source") instanceof String && map.get("rule") instanceof String;
            map.forEach((name, member) -> {
                switch (grant ? String.valueOf(name) : "") {
                    case "source" -> members.putAll(source(String.valueOf(member)));
                    case "rule" -> members.put("rule", rule(String.valueOf(member)));
                    default -> members.put(String.valueOf(name), walk(member));
                }
            });
            return members;
        }

        /** Returns the members {@code source}, {@code binding} and {@code role}, and {@code file} and {@code line} of the rule. */
        private static Map<String, Object> source(String text) {
            String[] parts = text.split(" -> ", 2);
            Map<String, Object> source = SourceObject.of(parts[0]);
            Map<String, Object> rule = parts.length > 1 ? SourceObject.of(parts[1]) : source;
            return JsonAnswer.object(
                    "source",
                    source,
                    "binding",
                    parts.length > 1 ? source : null,
                    "role",
                    parts.length > 1 ? rule : null,
                    "file",
                    rule.get("file"),
                    "line",
                    rule.get("line"));
        }

        /** Returns a rule, or an object with its text if it is not JSON, as after shortening. */
        private static Object rule(String text) {
            try {
                if (JsonDocument.read(text.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> rule) {
                    return rule;
                }
            } catch (IOException shortened) {
                // A shortened rule is returned as text.
            }
            return JsonAnswer.object("text", text);
        }
    }
}
