package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Cells of a pod. Its status is the most significant word: the reason of eviction, the container that prevents it from running, the
 * progress of initialization, or its phase.
 */
final class PodCells {
    private final JsonNode pod;
    private final JsonNode spec;
    private final JsonNode status;

    /** Restartable init containers. */
    private final Set<String> sidecars = new HashSet<>();

    private String reason;
    private int ready;
    private int total;
    private int restarts;
    private String lastRestart = "";
    private int sidecarRestarts;
    private String lastSidecarRestart = "";

    private PodCells(JsonNode pod) {
        this.pod = pod;
        this.spec = pod.path("spec");
        this.status = pod.path("status");
        this.reason = Cells.text(status.path("phase"));
        this.total = spec.path("containers").size();
    }

    static List<Object> of(JsonNode pod, Instant now) {
        return new PodCells(pod).cells(now);
    }

    private List<Object> cells(Instant now) {
        String statusReason = Cells.text(status.path("reason"));
        if (!statusReason.isEmpty()) {
            reason = statusReason;
        }
        if (hasCondition("PodScheduled", "reason", "SchedulingGated")) {
            reason = "SchedulingGated";
        }
        findSidecars();
        boolean initializing = examineInitialization();
        if (!initializing || hasCondition("Initialized", "status", "True")) {
            examineContainers();
        }
        examineDeletion(statusReason);
        return List.of(
                Cells.name(pod),
                ready + "/" + total,
                reason,
                restarts(now),
                Cells.age(pod, now),
                Cells.orNone(Cells.text(status.path("podIPs").path(0).path("ip"))),
                Cells.orNone(Cells.text(spec.path("nodeName"))),
                Cells.orNone(Cells.text(status.path("nominatedNodeName"))),
                gates());
    }

    private void findSidecars() {
        for (JsonNode container : spec.path("initContainers")) {
            if (Cells.text(container.path("restartPolicy")).equals("Always")) {
                sidecars.add(Cells.text(container.path("name")));
                total++;
            }
        }
    }

    /** Examines init containers up to the first incomplete one; returns whether there is one. */
    private boolean examineInitialization() {
        JsonNode statuses = status.path("initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode container = statuses.path(i);
            boolean sidecar = sidecars.contains(Cells.text(container.path("name")));
            countRestarts(container, sidecar);
            JsonNode terminated = container.path("state").path("terminated");
            if (terminated.isObject() && terminated.path("exitCode").asInt() == 0) {
                continue;
            }
            if (sidecar && container.path("started").asBoolean()) {
                ready += container.path("ready").asBoolean() ? 1 : 0;
                continue;
            }
            reason = "Init:" + initialReason(container, i);
            return true;
        }
        return false;
    }

    private void countRestarts(JsonNode container, boolean sidecar) {
        int count = container.path("restartCount").asInt();
        String finished = Cells.text(container.at("/lastState/terminated/finishedAt"));
        restarts += count;
        lastRestart = later(lastRestart, finished);
        if (sidecar) {
            sidecarRestarts += count;
            lastSidecarRestart = later(lastSidecarRestart, finished);
        }
    }

    private String initialReason(JsonNode container, int index) {
        JsonNode terminated = container.path("state").path("terminated");
        if (terminated.isObject()) {
            return ended(terminated);
        }
        String waiting = Cells.text(container.at("/state/waiting/reason"));
        return waiting.isEmpty() || waiting.equals("PodInitializing")
                ? index + "/" + spec.path("initContainers").size()
                : waiting;
    }

    private static String ended(JsonNode terminated) {
        String endReason = Cells.text(terminated.path("reason"));
        if (!endReason.isEmpty()) {
            return endReason;
        }
        int signal = terminated.path("signal").asInt();
        return signal != 0
                ? "Signal:" + signal
                : "ExitCode:" + terminated.path("exitCode").asInt();
    }

    /** Examines containers: the first one that is not running determines the status. */
    private void examineContainers() {
        restarts = sidecarRestarts;
        lastRestart = lastSidecarRestart;
        boolean running = false;
        String failure = "";
        JsonNode statuses = status.path("containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode container = statuses.path(i);
            countRestarts(container, false);
            JsonNode state = container.path("state");
            String waiting = Cells.text(state.path("waiting").path("reason"));
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (state.path("terminated").isObject()) {
                reason = ended(state.path("terminated"));
                if (state.path("terminated").path("exitCode").asInt() != 0) {
                    failure = reason;
                }
            } else if (container.path("ready").asBoolean()
                    && state.path("running").isObject()) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed") && running && hasCondition("Ready", "status", "True")) {
            reason = "Running";
        } else if (reason.equals("Completed") && (running || !failure.isEmpty())) {
            reason = failure.isEmpty() ? "NotReady" : failure;
        }
    }

    private void examineDeletion(String statusReason) {
        if (!pod.path("metadata").hasNonNull("deletionTimestamp")) {
            return;
        }
        String phase = Cells.text(status.path("phase"));
        if (statusReason.equals("NodeLost")) {
            reason = "Unknown";
        } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
            reason = "Terminating";
        }
    }

    private String restarts(Instant now) {
        return restarts == 0 || lastRestart.isEmpty()
                ? Integer.toString(restarts)
                : restarts + " (" + AgeFormat.since(lastRestart, now) + " ago)";
    }

    private String gates() {
        JsonNode gates = spec.path("readinessGates");
        if (gates.isEmpty()) {
            return Cells.NONE;
        }
        int open = 0;
        for (JsonNode gate : gates) {
            open += hasCondition(Cells.text(gate.path("conditionType")), "status", "True") ? 1 : 0;
        }
        return open + "/" + gates.size();
    }

    private boolean hasCondition(String type, String field, String value) {
        return status.path("conditions")
                .valueStream()
                .anyMatch(condition -> Cells.text(condition.path("type")).equals(type)
                        && Cells.text(condition.path(field)).equals(value));
    }

    /** Returns the later timestamp; timestamps of one format compare as strings. */
    private static String later(String one, String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
