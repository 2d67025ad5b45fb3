package io.plat.cli;

import io.plat.cli.review.NoReviewException;
import io.plat.cli.review.ReviewAnswer;
import io.plat.cli.review.ReviewDocument;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code plat review}: posts a review as it is and prints the answer. */
@Command(
        name = "review",
        mixinStandardHelpOptions = true,
        description = "Posts a review as it is and prints the answer.",
        footer = {
            "",
            "Examples:",
            "  plat review -f review.yaml",
            "  plat review -f - -o yaml < review.json",
        })
final class ReviewCommand implements Callable<Integer> {
    private static final int NOT_FOUND = 404;
    private static final int LARGEST = 3 << 20;

    @ParentCommand
    private @Nullable Plat plat;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "the review, JSON or YAML; - is standard input")
    private String file = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "namespace of a LocalSubjectAccessReview (the one that its spec names)")
    private @Nullable String namespace;

    @Override
    public Integer call() {
        Plat program = Plat.of(plat);
        ReviewDocument review = ReviewDocument.parse(file.equals("-") ? "standard input" : file, read(program));
        HttpsConnection server = program.connect(connection);
        Answer answer = server.post(review.path(namespace), review.json(), "application/json");
        if (answer.code() == NOT_FOUND) {
            throw CommandException.couldNotTell(
                    Refused.by(server.server(), answer).getMessage()
                            + "; does the server have the review's apiVersion? existing servers have authorization.k8s.io/v1");
        }
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        Optional<Boolean> allowed;
        try {
            allowed = ReviewAnswer.allowed(review, answer.body());
        } catch (NoReviewException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
        program.report().printDocument(answer.body(), program.format());
        return allowed.orElse(true) ? ExitStatus.YES : ExitStatus.NO;
    }

    private byte[] read(Plat program) {
        try {
            byte[] bytes;
            if (file.equals("-")) {
                bytes = program.surroundings().in().readNBytes(LARGEST + 1);
            } else {
                try (var in = Files.newInputStream(Path.of(file))) {
                    bytes = in.readNBytes(LARGEST + 1);
                }
            }
            if (bytes.length > LARGEST) {
                throw CommandException.couldNotTell(file + ": larger than " + LARGEST + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw CommandException.couldNotTell("--filename: can't read \"" + file + "\": " + IoWords.of(e));
        }
    }
}
