package io.plat.cli.access;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.FailureText;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceReader;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plat review}: posts a review unchanged and prints the response. */
@Command(name = "review", mixinStandardHelpOptions = true)
public final class ReviewCommand extends PlatCommand {
    private static final int MAX_BYTES = 3 << 20;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE")
    private String file = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE")
    private @Nullable String namespace;

    @Override
    public int run(Program plat) {
        byte[] read = plat.environment().read("--filename", file, MAX_BYTES);
        ReviewDocument review = ReviewDocument.parse(file.equals("-") ? "standard input" : file, read);
        HttpsConnection server = plat.connect(connection);
        ServerResponse answer = server.post(review.path(namespace), review.json(), Map.of());
        if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
            throw CommandException.undetermined(
                    FailureText.by(server.server(), answer).getMessage()
                            + "; does the server serve the review's apiVersion? kube-apiserver serves"
                            + " authorization.k8s.io/v1");
        }
        Optional<Boolean> allowed = server.read(
                        answer, body -> new ReviewCodec().decodeAllowed(body, review.kind(), review.apiVersion()))
                .value();
        plat.report().printDocument(answer.body(), plat.format());
        return allowed.orElse(true) ? ExitStatus.YES : ExitStatus.NO;
    }

    /** A review to be posted. JSON is sent unchanged; YAML is converted to JSON. */
    // The array is not shared or modified.
    @SuppressWarnings("ArrayRecordComponent")
    record ReviewDocument(String apiVersion, String kind, String namespaceInSpec, byte[] json) {
        private static final String LOCAL = "LocalSubjectAccessReview";

        /** Kinds that may be posted: a POST of any other kind would create an object. */
        private static final Pattern REVIEW = Pattern.compile("[A-Za-z]*Review|AccessExplanation|SubjectListing");

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
            if (!REVIEW.matcher(kind).matches()) {
                throw CommandException.undetermined(review.where()
                        + ": expected a review, such as a SubjectAccessReview, found kind " + Quoted.of(kind));
            }
            boolean isJson =
                    new String(content, StandardCharsets.UTF_8).stripLeading().startsWith("{");
            return new ReviewDocument(apiVersion, kind, specNamespace(review), isJson ? content : write(review));
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
                return "/apis/" + ServerResponse.urlPath(apiVersion) + "/" + ServerResponse.urlSegment(resource);
            }
            String local = namespace == null ? namespaceInSpec : namespace;
            if (local.isEmpty()) {
                throw CommandException.undetermined(
                        "a " + LOCAL + " needs a namespace: give --namespace or spec.resourceAttributes.namespace");
            }
            return "/apis/" + ServerResponse.urlPath(apiVersion) + "/namespaces/" + ServerResponse.urlSegment(local)
                    + "/" + ServerResponse.urlSegment(resource);
        }

        private static byte[] write(SourceNode node) {
            return JsonAnswer.of(value(node));
        }

        private static @Nullable Object value(SourceNode node) {
            return switch (node) {
                case Mapping mapping -> {
                    Map<String, @Nullable Object> members = new LinkedHashMap<>();
                    mapping.fields().forEach((name, member) -> members.put(name, value(member)));
                    yield members;
                }
                case Sequence sequence ->
                    sequence.items().stream().map(ReviewDocument::value).toList();
                case Scalar scalar ->
                    switch (scalar.type()) {
                        case STRING -> scalar.text();
                        case INTEGER, FLOAT -> (JsonAnswer.Body) json -> json.writeNumber(scalar.text());
                        case BOOLEAN -> Boolean.parseBoolean(scalar.text());
                        case NULL -> null;
                    };
            };
        }
    }
}
