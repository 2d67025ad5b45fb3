package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.podlog.LogOptions;
import io.plat.apiserver.podlog.LogOptions.Stream;
import io.plat.apiserver.podlog.PodLog;
import io.plat.apiserver.podlog.PodLogDirectory;
import io.plat.apiserver.podlog.PodLogDirectory.Container;
import io.plat.apiserver.podlog.PodLogDirectory.Run;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.http.FairLimit;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code pods/NAME/log}: the log of a container as text, optionally followed. */
final class PodLogEndpoint {
    static final String LOG = "log";

    private static final Logger LOGS = LoggerFactory.getLogger(PodLogEndpoint.class);

    /** Maximum number of concurrent reads, each with its files and memory. */
    private static final int MAX_CONCURRENT = 400;

    private static final String OPTIONS = "PodLogOptions";
    private static final List<String> NUMBERS = List.of("tailLines", "limitBytes", "sinceSeconds");
    private static final String TEXT = "text/plain";
    private static final Set<String> TERMINAL_PHASES = Set.of("Succeeded", "Failed");

    private final ResourceOperations operations;
    private final @Nullable PodLogDirectory directory;
    private final InstantSource clock;
    private final FairLimit slots = new FairLimit(MAX_CONCURRENT);

    /** @param directory directory of the logs; null if there is none */
    PodLogEndpoint(ResourceOperations operations, @Nullable PodLogDirectory directory, InstantSource clock) {
        this.operations = operations;
        this.directory = directory;
        this.clock = clock;
    }

    ApiResponse answer(Call call, ResourceType pods, ResourceAttributes access) throws StatusException {
        QueryParameters query = call.info().query();
        LogOptions options = options(query, access.name());
        boolean previous = query.flag("previous");
        Target target = new Target(pods, access.namespace(), access.name());
        JsonNode pod = operations.get(target, "").object().tree();
        String name = container(pod, access.name(), RequestOptions.text(query, "container"));
        Container container = new Container(access.namespace(), access.name(), directoryUid(pod), name);
        List<Run> runs = directory == null ? List.of() : runs(directory, container);
        if (runs.isEmpty() && !pod.path("spec").hasNonNull("nodeName")) {
            return ApiResponse.text(204, TEXT, "");
        }
        if (directory == null) {
            throw new StatusException(
                    StatusReason.NOT_IMPLEMENTED, "this server does not serve pod logs without --pod-log-dir");
        }
        String uid = uid(pod);
        int run = previous ? 1 : 0;
        if (runs.size() <= run) {
            throw withoutLog(previous, container);
        }
        PodLog log = new PodLog(directory, container, runs.get(run), options, () -> isActive(target, uid));
        String client = call.client();
        if (!slots.tryAcquire(client)) {
            throw new StatusException(FairLimit.REFUSED);
        }
        call.incoming().onCompletion(() -> slots.release(client));
        return new ApiResponse(200, TEXT, Map.of(), Body.endless(log::writeTo));
    }

    /** Returns a cause with Kubernetes' path of a field without a name, if it is about several options. */
    private static Cause named(Cause cause) {
        return cause.field().isEmpty() ? new Cause(cause.reason(), cause.message(), "[]") : cause;
    }

    /**
     * Parses the selection of lines.
     *
     * @throws StatusException 400 for malformed, 422 for invalid parameters
     */
    private LogOptions options(QueryParameters query, String pod) throws StatusException {
        ObjectNode options = Json.object();
        for (String name : NUMBERS) {
            RequestOptions.number(query, name).ifPresent(number -> options.put(name, number));
        }
        @Nullable Instant time = time(query);
        if (time != null) {
            options.put("sinceTime", time.toString());
        }
        options.put("stream", RequestOptions.text(query, "stream"));
        List<Cause> causes = Causes.of(found -> Rules.check(OPTIONS, Field.of(options, found)));
        if (!causes.isEmpty()) {
            throw ApiErrors.invalid(
                    "", OPTIONS, pod, causes.stream().map(PodLogEndpoint::named).toList());
        }
        return new LogOptions(
                query.flag("follow"),
                options.path("tailLines").asLong(-1),
                options.has("sinceSeconds") ? ago(options.path("sinceSeconds").asLong()) : time,
                query.flag("timestamps"),
                options.path("limitBytes").asLong(Long.MAX_VALUE),
                switch (Json.text(options, "stream")) {
                    case "Stdout" -> Stream.STDOUT;
                    case "Stderr" -> Stream.STDERR;
                    default -> Stream.ALL;
                });
    }

    private Instant ago(long seconds) {
        return clock.instant().minusSeconds(Math.min(seconds, 1L << 40));
    }

    private static @Nullable Instant time(QueryParameters query) throws StatusException {
        String text = RequestOptions.text(query, "sinceTime");
        return text.isEmpty()
                ? null
                : Timestamps.parse(text)
                        .orElseThrow(() -> ApiErrors.badRequest(
                                "sinceTime: \"" + text + "\" is wrong, expected a time such as 2006-01-02T15:04:05Z"));
    }

    private static List<Run> runs(PodLogDirectory directory, Container container) throws StatusException {
        try {
            return directory.runs(container);
        } catch (IOException e) {
            LOGS.warn(
                    "the logs of pod {}/{} could not be read: {}",
                    container.namespace(),
                    container.pod(),
                    e.toString());
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR,
                    "the logs of this pod could not be read; the server's log has the reason");
        }
    }

    private static StatusException withoutLog(boolean previous, Container container) {
        if (previous) {
            return ApiErrors.badRequest("previous terminated container \"" + container.name() + "\" in pod \""
                    + container.pod() + "\" not found");
        }
        return ApiErrors.badRequest("container \"" + container.name() + "\" in pod \"" + container.pod()
                + "\" is waiting to start: ContainerCreating");
    }

    /** Returns whether the pod still exists and may write to its log. */
    private boolean isActive(Target target, String uid) {
        try {
            JsonNode pod = operations.get(target, "").object().tree();
            return uid(pod).equals(uid)
                    && !TERMINAL_PHASES.contains(pod.at("/status/phase").asText(""));
        } catch (StatusException gone) {
            return false;
        }
    }

    private static String uid(JsonNode pod) {
        return pod.at("/metadata/uid").asText("");
    }

    /** Returns the uid in the directory name: a static pod has another uid on its node, which its mirror pod states in an annotation. */
    private static String directoryUid(JsonNode pod) {
        String nodeUid = pod.path("metadata")
                .path("annotations")
                .path("kubernetes.io/config.mirror")
                .asText("");
        return nodeUid.isEmpty() ? uid(pod) : nodeUid;
    }

    /** Returns the requested container, or the only one. */
    private static String container(JsonNode pod, String name, String requested) throws StatusException {
        List<String> containers = Json.texts(pod.at("/spec/containers"), "name");
        List<String> initContainers = Json.texts(pod.at("/spec/initContainers"), "name");
        if (!requested.isEmpty()) {
            var all = new ArrayList<>(containers);
            all.addAll(initContainers);
            all.addAll(Json.texts(pod.at("/spec/ephemeralContainers"), "name"));
            if (!all.contains(requested)) {
                throw ApiErrors.badRequest("container " + requested + " is not valid for pod " + name);
            }
            return requested;
        }
        if (containers.size() == 1) {
            return containers.getFirst();
        }
        String choices = containers.isEmpty() ? "" : ", choose one of: [" + String.join(" ", containers) + "]";
        String initChoices = initContainers.isEmpty()
                ? ""
                : " or one of the init containers: [" + String.join(" ", initContainers) + "]";
        throw ApiErrors.badRequest("a container name must be specified for pod " + name + choices + initChoices);
    }
}
