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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads one AccessMatrix. */
final class MatrixReader {
    private static final List<String> NAMES = List.of("group", "resource", "subresource", "name");

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
        if (members.object("spec")) {
            members.read(
                    "spec",
                    Map.of(
                            "namespace", at -> namespace = members.string(at),
                            "verbs", at -> verbs = members.strings(at),
                            "resources", at -> resources(members, at),
                            "paths", at -> paths = members.strings(at),
                            "match", at -> match = members.string(at),
                            "limit", at -> limit = members.count(at)));
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
            resources.add(resource(members, at));
        }
    }

    private static ResourceAttributes resource(Members members, String path) throws IOException, StatusException {
        Map<String, String> texts = new HashMap<>();
        Map<String, Members.Reader> known = new HashMap<>();
        for (String name : NAMES) {
            known.put(name, at -> texts.put(name, members.string(at)));
        }
        members.required(path, known);
        return new ResourceAttributes(
                "",
                "",
                texts.getOrDefault("group", ""),
                "",
                texts.getOrDefault("resource", ""),
                texts.getOrDefault("subresource", ""),
                texts.getOrDefault("name", ""));
    }
}
