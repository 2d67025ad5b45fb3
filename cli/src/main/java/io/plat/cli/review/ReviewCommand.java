package io.plat.cli.review;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.FailureText;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ReviewAnswer;
import io.plat.cli.server.ReviewAnswer.NoReviewException;
import io.plat.cli.server.ServerResponse;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.codec.ReviewCodec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plat review}: posts a review as it is and prints the answer. */
@Command(name = "review", mixinStandardHelpOptions = true)
public final class ReviewCommand extends PlatCommand {
    private static final int NOT_FOUND = 404;
    private static final int LARGEST = 3 << 20;

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
        byte[] read = plat.surroundings().read("--filename", file, LARGEST);
        ReviewDocument review = ReviewDocument.parse(file.equals("-") ? "standard input" : file, read);
        HttpsConnection server = plat.connect(connection);
        ServerResponse answer = server.post(review.path(namespace), review.json(), Map.of());
        if (answer.code() == NOT_FOUND) {
            throw CommandException.undetermined(
                    FailureText.by(server.server(), answer).getMessage()
                            + "; does the server have the review's apiVersion? existing servers have authorization.k8s.io/v1");
        }
        Optional<Boolean> allowed =
                server.read(answer, body -> allowed(review, body)).said();
        plat.report().printDocument(answer.body(), plat.format());
        return allowed.orElse(true) ? ExitStatus.YES : ExitStatus.NO;
    }

    /** The answer's {@code status.allowed}; empty for a review that is no question of yes or no. */
    private static Optional<Boolean> allowed(ReviewDocument posted, byte[] answer)
            throws MalformedResponseException, NoReviewException {
        Optional<ReviewKind> question = ReviewKind.of(posted.kind());
        Optional<ReviewVersion> version = ReviewVersion.of(posted.apiVersion());
        if (question.isPresent() && version.isPresent()) {
            return Optional.of(new ReviewCodec()
                    .decodeAnswer(answer, question.get(), version.get())
                    .allowed());
        }
        Boolean allowed = ReviewAnswer.allowed(answer, posted.kind(), posted.apiVersion(), question.isPresent());
        return Optional.ofNullable(allowed);
    }
}
