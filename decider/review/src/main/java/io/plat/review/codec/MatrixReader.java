package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.AccessAttributes;
import io.plat.review.MatrixReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads one AccessMatrix. */
final class MatrixReader {
    private static final int NAMESPACE = 1;
    private static final int VERBS = 2;
    private static final int RESOURCES = 4;
    private static final int PATHS = 8;
    private static final int MATCH = 16;
    private static final int LIMIT = 32;

    private final List<ResourceAttributes> resources = new ArrayList<>();
    private List<String> paths = List.of();
    private List<String> verbs = List.of();
    private String namespace = "";
    private String match = "";
    private long limit = MatrixReview.USUAL_SUBJECTS;

    private MatrixReader() {}

    static MatrixReview read(Body body, ReviewVersion version) throws StatusException {
        MatrixReader reader = new MatrixReader();
        Envelope.read(body, MatrixReview.KIND, version, reader::spec);
        return reader.asked(version);
    }

    private MatrixReview asked(ReviewVersion version) throws StatusException {
        List<AccessAttributes> columns = new ArrayList<>(resources.size() + paths.size());
        // The namespace may stand behind the resources.
        resources.forEach(one -> columns.add(
                new ResourceAttributes(namespace, "", one.group(), "", one.resource(), one.subresource(), one.name())));
        paths.forEach(path -> columns.add(new NonResourceAttributes(path, "")));
        bounded("spec.resources and spec.paths", columns.size(), MatrixReview.MOST_COLUMNS);
        bounded("spec.verbs", verbs.size(), MatrixReview.MOST_VERBS);
        bounded("spec.limit", limit, MatrixReview.MOST_SUBJECTS);
        return new MatrixReview(version, columns, verbs, match, (int) limit);
    }

    private static void bounded(String path, long number, int most) throws StatusException {
        if (number < 1 || number > most) {
            throw Members.malformed(path + ": expected 1 to " + most + ", found " + number);
        }
    }

    private void spec(Members members) throws IOException, StatusException {
        if (!members.object("spec")) {
            return;
        }
        int seen = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            String path = "spec." + name;
            switch (name) {
                case "namespace" -> {
                    seen = Members.once(seen, NAMESPACE, path);
                    namespace = members.string(path);
                }
                case "verbs" -> {
                    seen = Members.once(seen, VERBS, path);
                    verbs = members.strings(path);
                }
                case "resources" -> {
                    seen = Members.once(seen, RESOURCES, path);
                    resources(members, path);
                }
                case "paths" -> {
                    seen = Members.once(seen, PATHS, path);
                    paths = members.strings(path);
                }
                case "match" -> {
                    seen = Members.once(seen, MATCH, path);
                    match = members.string(path);
                }
                case "limit" -> {
                    seen = Members.once(seen, LIMIT, path);
                    limit = members.count(path);
                }
                default -> members.skip();
            }
        }
    }

    private void resources(Members members, String path) throws IOException, StatusException {
        if (!members.array(path)) {
            return;
        }
        while (members.json.nextToken() != JsonToken.END_ARRAY) {
            String at = path + "[" + resources.size() + "]";
            if (resources.size() == MatrixReview.MOST_COLUMNS) {
                throw Members.malformed(path + ": expected 1 to " + MatrixReview.MOST_COLUMNS + ", found more");
            }
            if (!members.object(at)) {
                throw members.wrongType(at, "an object");
            }
            resources.add(resource(members, at));
        }
    }

    private static ResourceAttributes resource(Members members, String path) throws IOException, StatusException {
        String group = "";
        String resource = "";
        String subresource = "";
        String object = "";
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            String at = path + "." + name;
            switch (name) {
                case "group" -> group = members.string(at);
                case "resource" -> resource = members.string(at);
                case "subresource" -> subresource = members.string(at);
                case "name" -> object = members.string(at);
                default -> members.skip();
            }
        }
        return new ResourceAttributes("", "", group, "", resource, subresource, object);
    }
}
