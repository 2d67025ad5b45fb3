package io.plat.tests.apiserver.escalation;

import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Parses the cases strictly: a misspelled field would change the meaning of a case. */
final class EscalationCases {
    private static final Set<String> OUTCOMES = Set.of("allowed", "refused", "notfound");

    private final List<Problem> problems = new ArrayList<>();
    private final List<EscalationCase> cases = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private EscalationCases() {}

    static List<EscalationCase> all() throws IOException, ProblemsException, URISyntaxException {
        EscalationCases read = new EscalationCases();
        URL directory = Objects.requireNonNull(EscalationCases.class.getResource("/cases/escalation/roles.yaml"));
        Path parent = Objects.requireNonNull(Path.of(directory.toURI()).getParent());
        try (Stream<Path> files = Files.list(parent)) {
            for (Path file : files.sorted().toList()) {
                for (SourceNode node : SourceReader.readYaml(file.toString(), Files.readAllBytes(file))) {
                    read.document(node);
                }
            }
        }
        if (!read.problems.isEmpty()) {
            throw new ProblemsException(read.problems);
        }
        return read.cases;
    }

    private void document(SourceNode node) {
        SourceFields fields = SourceFields.of(node, "", problems);
        for (SourceFields each : fields.mappings("cases")) {
            String expect = each.requiredString("expect");
            EscalationCase read = new EscalationCase(
                    cases.size(),
                    each.requiredString("name"),
                    each.string("as"),
                    each.strings("groups"),
                    each.string("ofGroup"),
                    each.strings("everywhere"),
                    each.strings("there"),
                    each.strings("elsewhere"),
                    each.bool("dangling"),
                    each.requiredString("writes"),
                    each.string("refers"),
                    each.bool("aggregates"),
                    each.bool("label"),
                    each.strings("grants"),
                    each.strings("via").stream().map(WriteMethod::of).toList(),
                    expect,
                    each.strings("names"));
            each.requiredString("why");
            if (!names.add(read.name())) {
                each.problem("name", "stands twice");
            }
            if (!OUTCOMES.contains(expect)
                    || expect.equals("refused") == read.names().isEmpty()) {
                each.problem("expect", "expected allowed, notfound, or refused with the lines that are named");
            }
            each.rejectUnknown();
            cases.add(read);
        }
        fields.rejectUnknown();
    }
}
