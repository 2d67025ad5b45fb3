package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is wrong with what is done once, or again and again: in the words of existing servers. */
final class JobCheck {
    private static final String JOBS = "jobs.batch";
    private static final int LONGEST_NAME = 52;
    private static final int MOST_AT_A_TIME = 100_000;

    /** Zones of the field's own list that the JDK has under other names. */
    private static final Set<String> FURTHER_ZONES = Set.of("EST", "Factory", "HST", "MST", "ROC");

    private static final List<String> COUNTS =
            List.of("activeDeadlineSeconds", "backoffLimit", "completions", "parallelism", "ttlSecondsAfterFinished");

    private JobCheck() {}

    /** Checks what is wanted of a job, at a path. */
    static void check(String path, JsonNode spec, Causes causes) {
        COUNTS.forEach(count -> causes.notNegative(path + "." + count, spec.path(count)));
        if (Json.text(spec, "completionMode").equals("Indexed")) {
            if (spec.path("completions").isMissingNode()) {
                causes.required(path + ".completions", "when completion mode is Indexed");
            }
            if (spec.path("parallelism").asLong() > MOST_AT_A_TIME) {
                causes.invalidValue(
                        path + ".parallelism",
                        spec.path("parallelism"),
                        "must be less than or equal to " + MOST_AT_A_TIME + " when completion mode is Indexed");
            }
        }
        String restart = Json.text(spec.path("template").path("spec"), "restartPolicy");
        if (spec.has("podFailurePolicy") && restart.equals("OnFailure")) {
            causes.invalid(
                    path + ".template.spec.restartPolicy",
                    restart,
                    "only \"Never\" is supported when podFailurePolicy is specified");
        }
        SelectorCheck.check(path + ".selector", spec.path("selector"), causes);
    }

    /** Checks the name of what is done again and again: those of its jobs begin with it. */
    static void checkName(JsonNode object, Causes causes) {
        String name = Json.text(object.path("metadata"), "name");
        if (name.length() > LONGEST_NAME) {
            causes.invalid("metadata.name", name, "must be no more than " + LONGEST_NAME + " characters");
        }
    }

    /** Checks what is done again and again. */
    static void checkRepeated(JsonNode object, Causes causes) {
        JsonNode spec = object.path("spec");
        for (String count :
                List.of("failedJobsHistoryLimit", "startingDeadlineSeconds", "successfulJobsHistoryLimit")) {
            causes.notNegative("spec." + count, spec.path(count));
        }
        schedule(Json.text(spec, "schedule"), causes);
        if (spec.has("timeZone")) {
            zone(Json.text(spec, "timeZone"), causes);
        }
        check("spec.jobTemplate.spec", spec.path("jobTemplate").path("spec"), causes);
    }

    private static void schedule(String schedule, Causes causes) {
        if (schedule.isEmpty()) {
            causes.required("spec.schedule", "");
            return;
        }
        String problem = schedule.contains("TZ=")
                ? "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
                : CronSchedule.problem(schedule);
        if (problem != null) {
            causes.invalid("spec.schedule", schedule, problem);
        }
    }

    private static void zone(String zone, Causes causes) {
        if (zone.isEmpty()) {
            causes.invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string");
        } else if (zone.equalsIgnoreCase("Local")) {
            causes.invalid(
                    "spec.timeZone",
                    zone,
                    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        } else if (!ZoneId.getAvailableZoneIds().contains(zone) && !FURTHER_ZONES.contains(zone)) {
            causes.invalid("spec.timeZone", zone, "unknown time zone " + zone);
        }
    }

    /** Checks that a job that has begun goes on as it began. */
    static void checkUpdate(String storage, ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        if (before == null || !storage.equals(JOBS)) {
            return;
        }
        completions(object.path("spec"), before.path("spec"), causes);
        JsonNode template = object.at("/spec/template");
        if (!before.at("/spec/suspend").asBoolean() && !template.equals(before.at("/spec/template"))) {
            causes.invalidValue("spec.template", template, "field is immutable");
        }
    }

    /** How often a job is done does not change, but with how much of it is done at a time where it counts its pods. */
    private static void completions(JsonNode spec, JsonNode before, Causes causes) {
        JsonNode completions = spec.path("completions");
        if (completions.equals(before.path("completions"))) {
            return;
        }
        boolean counted = Json.text(spec, "completionMode").equals("Indexed");
        if (!counted
                || completions.isMissingNode()
                || before.path("completions").isMissingNode()) {
            causes.invalidValue("spec.completions", completions, "field is immutable");
        } else if (!completions.equals(spec.path("parallelism"))) {
            causes.invalidValue(
                    "spec.completions", completions, "can only be modified in tandem with spec.parallelism");
        }
    }
}
