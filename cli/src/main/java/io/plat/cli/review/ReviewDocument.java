package io.plat.cli.review;

import io.plat.cli.process.CommandException;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A review as it is posted. JSON is sent byte for byte as it is in the file; YAML is converted to JSON. */
// The array is the document's own and is read, not changed.
@SuppressWarnings("ArrayRecordComponent")
public record ReviewDocument(String apiVersion, String kind, String namespaceInSpec, byte[] json) {
    private static final String LOCAL = "LocalSubjectAccessReview";

    /**
     * Parses the review in a file.
     *
     * @throws CommandException if it has none, or more than one
     */
    public static ReviewDocument parse(String fileName, byte[] content) {
        List<SourceNode> documents;
        try {
            documents = SourceReader.readYaml(fileName, content);
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
        if (documents.size() != 1 || !(documents.getFirst() instanceof Mapping review)) {
            throw CommandException.undetermined(fileName + ": expected one review, found "
                    + (documents.size() == 1 ? documents.getFirst().describe() : documents.size() + " documents"));
        }
        String apiVersion = text(review, "apiVersion");
        String kind = text(review, "kind");
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            throw CommandException.undetermined(
                    review.where() + ": a review needs apiVersion and kind, such as authorization.k8s.io/v1 and "
                            + "SubjectAccessReview");
        }
        boolean isJson =
                new String(content, StandardCharsets.UTF_8).stripLeading().startsWith("{");
        return new ReviewDocument(apiVersion, kind, specNamespace(review), isJson ? content : SourceJson.write(review));
    }

    private static String text(Mapping mapping, String field) {
        return mapping.get(field) instanceof Scalar scalar ? scalar.text() : "";
    }

    private static String specNamespace(Mapping review) {
        return review.get("spec") instanceof Mapping spec
                        && spec.get("resourceAttributes") instanceof Mapping attributes
                ? text(attributes, "namespace")
                : "";
    }

    /**
     * Returns the path for the review.
     *
     * @param namespace the namespace that the user gave, or null for the one in the spec
     */
    public String path(@Nullable String namespace) {
        String resource = kind.toLowerCase(Locale.ROOT) + "s";
        if (!kind.equals(LOCAL)) {
            return "/apis/" + segments(apiVersion) + "/" + segment(resource);
        }
        String local = namespace == null ? namespaceInSpec : namespace;
        if (local.isEmpty()) {
            throw CommandException.undetermined(
                    "a " + LOCAL + " is about one namespace: give --namespace or spec.resourceAttributes.namespace");
        }
        return "/apis/" + segments(apiVersion) + "/namespaces/" + segment(local) + "/" + segment(resource);
    }

    private static String segments(String path) {
        StringBuilder encoded = new StringBuilder();
        for (String part : path.split("/", -1)) {
            encoded.append(encoded.isEmpty() ? "" : "/").append(segment(part));
        }
        return encoded.toString();
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
