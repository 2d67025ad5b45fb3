package io.plat.review.codec;

import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Tables of cases in resource files. */
final class Rows {
    private Rows() {}

    static List<SourceFields> of(String name) throws IOException, ProblemsException {
        try (var in = Objects.requireNonNull(Rows.class.getResourceAsStream(name))) {
            SourceNode table = SourceReader.readYaml(name, in.readAllBytes()).getFirst();
            List<Problem> problems = new ArrayList<>();
            return ((SourceNode.Sequence) table)
                    .items().stream()
                            .map(row -> SourceFields.of(row, "", problems))
                            .toList();
        }
    }

    /** {@code any}, or version, kind and namespace; empty for the version and kind of current servers. */
    static Expectation expectation(String at) {
        if (at.equals("any")) {
            return Expectation.ANY_SUBJECT_ACCESS_REVIEW;
        }
        if (at.isEmpty()) {
            return Expectation.at(ReviewVersion.K8S_V1, ReviewKind.SUBJECT_ACCESS_REVIEW);
        }
        String[] parts = at.split(" ", -1);
        return new Expectation(
                ReviewKind.of(parts[1]).orElseThrow(),
                ReviewVersion.of(parts[0]).orElseThrow(),
                parts.length > 2 ? parts[2] : "");
    }
}
