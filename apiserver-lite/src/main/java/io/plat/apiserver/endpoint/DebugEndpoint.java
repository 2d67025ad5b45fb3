package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Body;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /debug}: what the process does, for those who may read these paths: its threads, its heap, and a recording of the JVM's events.
 * Whoever nobody knows is refused whatever the authorizer says, as there is no policy under which everybody may slow a server down. One
 * question at a time is answered.
 */
final class DebugEndpoint implements Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(DebugEndpoint.class);

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String INDEX = """
            /debug/threads                 the stacks of all threads
            /debug/heap                    memory by pool, and collections
            /debug/recording?seconds=5     a flight recording of the next seconds (%d at most)
            """.formatted(FlightRecording.MOST_SECONDS);

    private final Semaphore turn = new Semaphore(1);

    @Override
    public Answer answer(Call call) throws StatusException {
        KnownUsers.require(call, "what the process does is shown to no anonymous user");
        String path = Paths.withoutTrailingSlash(call.info().path());
        return switch (path) {
            case "/debug" -> Answer.text(200, TEXT, INDEX);
            case "/debug/heap" -> Answer.text(200, TEXT, ProcessState.heap());
            case "/debug/threads" -> inTurn(() -> new Answer(200, TEXT, Map.of(), Body.of(ProcessState.threads())));
            case "/debug/recording" -> {
                long seconds = seconds(call);
                yield inTurn(() -> new Answer(
                                200, "application/octet-stream", Map.of(), Body.of(FlightRecording.of(seconds)))
                        .with("Content-Disposition", List.of("attachment; filename=\"recording.jfr\"")));
            }
            default -> throw Failures.notFound();
        };
    }

    private static long seconds(Call call) throws StatusException {
        String asked = call.info().query().first("seconds").orElse("5");
        long seconds = asked.matches("[0-9]{1,3}") ? Long.parseLong(asked) : 0;
        if (seconds < 1 || seconds > FlightRecording.MOST_SECONDS) {
            throw Failures.badRequest("seconds: expected a number from 1 to " + FlightRecording.MOST_SECONDS);
        }
        return seconds;
    }

    /** Finds something out. */
    @FunctionalInterface
    private interface Look {
        Answer now() throws IOException, InterruptedException;
    }

    private Answer inTurn(Look look) throws StatusException {
        if (!turn.tryAcquire()) {
            throw new StatusException(Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "somebody else looks into the process, please try again later"));
        }
        try {
            return look.now();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        } catch (IOException e) {
            LOG.warn("/debug: {}", e.toString());
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR, "the server failed on this request; its log says why");
        } finally {
            turn.release();
        }
    }
}
