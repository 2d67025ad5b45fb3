package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.AccessAttributes;
import io.plat.review.MatrixReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Codec of AccessMatrix. In the response, each row has a bit mask for each column, with a bit for each allowed verb. Thread-safe. */
public final class MatrixCodec {
    private final int maxBytes;

    /**
     * Creates a codec.
     *
     * @param maxBytes maximum size of a body, in bytes
     */
    public MatrixCodec(int maxBytes) {
        this.maxBytes = JsonBody.requireLimit(maxBytes);
    }

    /**
     * Decodes a request. A missing apiVersion or kind is defaulted from the path.
     *
     * @param version the version in the path
     * @throws StatusException 400 if it is malformed or requests nothing or too much, 413 if it is too large
     */
    public MatrixReview decode(byte[] body, ReviewVersion version) throws StatusException {
        Spec spec = new Spec();
        JsonBody.of(body, maxBytes).readReview(MatrixReview.KIND, version.apiVersion(), spec::read);
        return spec.review(version);
    }

    /** A partially read spec. */
    private static final class Spec {
        private static final MemberNames MEMBERS =
                MemberNames.of("namespace", "verbs", "resources", "paths", "anyNamespace", "match", "limit");
        private static final MemberNames RESOURCE = MemberNames.of("group", "resource", "subresource", "name");

        private List<String[]> resources = List.of();
        private List<String> paths = List.of();
        private List<String> verbs = List.of();
        private String namespace = "";
        private boolean anyNamespace;
        private String match = "";
        private long limit = MatrixReview.DEFAULT_SUBJECTS;

        void read(Members members) throws IOException, StatusException {
            if (!members.object()) {
                return;
            }
            Members.Known known = members.known(MEMBERS);
            for (String name = known.next(); name != null; name = known.next()) {
                switch (name) {
                    case "namespace" -> namespace = members.string();
                    case "verbs" -> verbs = members.strings();
                    case "resources" -> resources = members.list(() -> resource(members));
                    case "paths" -> paths = members.strings();
                    case "anyNamespace" -> anyNamespace = members.bool();
                    case "match" -> match = members.string();
                    default -> limit = members.count();
                }
            }
        }

        private static String[] resource(Members members) throws IOException, StatusException {
            if (members.index() >= MatrixReview.MAX_COLUMNS) {
                throw Members.malformed("spec.resources: expected 1 to " + MatrixReview.MAX_COLUMNS + ", found more");
            }
            return members.required(RESOURCE).texts();
        }

        MatrixReview review(ReviewVersion version) throws StatusException {
            List<AccessAttributes> columns = new ArrayList<>(resources.size() + paths.size());
            // The namespace may follow the resources.
            resources.forEach(texts ->
                    columns.add(new ResourceAttributes(namespace, "", texts[0], "", texts[1], texts[2], texts[3])));
            paths.forEach(path -> columns.add(new NonResourceAttributes(path, "")));
            bounded("spec.resources and spec.paths", columns.size(), MatrixReview.MAX_COLUMNS);
            bounded("spec.verbs", verbs.size(), MatrixReview.MAX_VERBS);
            bounded("spec.limit", limit, MatrixReview.MAX_SUBJECTS);
            if (anyNamespace && !namespace.isEmpty()) {
                throw Members.malformed("spec.anyNamespace: cannot be combined with spec.namespace");
            }
            return new MatrixReview(version, columns, verbs, anyNamespace, match, (int) limit);
        }

        private static void bounded(String path, long number, int max) throws StatusException {
            if (number < 1 || number > max) {
                throw Members.malformed(path + ": expected 1 to " + max + ", found " + number);
            }
        }
    }

    /** Encodes the response, with the columns in the order of the request. UTF-8. */
    public byte[] encode(MatrixReview review, AccessMatrix matrix) {
        return ResponseDocument.of(MatrixReview.KIND, review.version(), json -> {
            ResponseDocument.strings("verbs", review.verbs(), json);
            rows(review, matrix, json);
        });
    }

    private static void rows(MatrixReview review, AccessMatrix matrix, JsonGenerator json) throws IOException {
        ResponseDocument.objects("rows", matrix.rows().items(), json, row -> {
            ResponseDocument.subject(row.subject(), json);
            json.writeArrayFieldStart("allowed");
            for (int column = 0; column < review.columns().size(); column++) {
                json.writeNumber(cell(row.allowed(), column, review.verbs().size()));
            }
            json.writeEndArray();
            if (!row.namespaces().isEmpty()) {
                json.writeObjectFieldStart("namespaces");
                for (Map.Entry<Integer, String> first : row.namespaces().entrySet()) {
                    json.writeStringField(first.getKey().toString(), first.getValue());
                }
                json.writeEndObject();
            }
        });
        ResponseDocument.leftOut("rowsLeftOut", matrix.rows(), json);
        ResponseDocument.unexplained(matrix.unexplained(), json);
    }

    private static int cell(BitSet allowed, int column, int verbs) {
        int cell = 0;
        for (int verb = 0; verb < verbs; verb++) {
            if (allowed.get(column * verbs + verb)) {
                cell |= 1 << verb;
            }
        }
        return cell;
    }
}
