package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of jobs and of cron jobs, with the messages of kube-apiserver. */
final class JobCheck {
    private static final int LONGEST_NAME = 52;
    private static final int MOST_AT_A_TIME = 100_000;

    /** Zones of Go's list that the JDK has under other names. */
    private static final Set<String> FURTHER_ZONES = Set.of("EST", "Factory", "HST", "MST", "ROC");

    private static final List<String> COUNTS =
            List.of("activeDeadlineSeconds", "backoffLimit", "completions", "parallelism", "ttlSecondsAfterFinished");
    private static final List<String> REPEATED_COUNTS =
            List.of("failedJobsHistoryLimit", "startingDeadlineSeconds", "successfulJobsHistoryLimit");

    private JobCheck() {}

    /** Checks the spec of a job. */
    static void check(Field spec) {
        COUNTS.forEach(count -> spec.at(count).notNegative());
        if (spec.at("completionMode").is("Indexed")) {
            if (!spec.has("completions")) {
                spec.at("completions").required("when completion mode is Indexed");
            }
            if (spec.at("parallelism").number() > MOST_AT_A_TIME) {
                spec.at("parallelism")
                        .invalidValue(
                                "must be less than or equal to " + MOST_AT_A_TIME + " when completion mode is Indexed");
            }
        }
        Field restart = spec.at("template").at("spec").at("restartPolicy");
        if (spec.has("podFailurePolicy") && restart.is("OnFailure")) {
            restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
        }
        SelectorCheck.check(spec.at("selector"));
    }

    /** Checks the name of a cron job, with which the names of its jobs begin. */
    static void checkName(Field name) {
        if (name.text().length() > LONGEST_NAME) {
            name.invalid("must be no more than " + LONGEST_NAME + " characters");
        }
    }

    /** Checks the spec of a cron job. */
    static void checkRepeated(Field spec) {
        REPEATED_COUNTS.forEach(count -> spec.at(count).notNegative());
        schedule(spec.at("schedule"));
        if (spec.has("timeZone")) {
            zone(spec.at("timeZone"));
        }
        check(spec.at("jobTemplate").at("spec"));
    }

    private static void schedule(Field schedule) {
        if (!schedule.require("")) {
            return;
        }
        String problem = schedule.text().contains("TZ=")
                ? "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
                : CronSchedule.problem(schedule.text());
        if (problem != null) {
            schedule.invalid(problem);
        }
    }

    private static void zone(Field field) {
        String zone = field.text();
        if (zone.isEmpty()) {
            field.invalid("timeZone must be nil or non-empty string");
        } else if (zone.equalsIgnoreCase("Local")) {
            field.invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        } else if (!ZoneId.getAvailableZoneIds().contains(zone) && !FURTHER_ZONES.contains(zone)) {
            field.invalid("unknown time zone " + zone);
        }
    }

    /** Checks that a job that has begun goes on as it began. */
    static void checkUpdate(String storage, ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        if (before == null || !storage.equals("jobs.batch")) {
            return;
        }
        Field spec = Field.of("spec", object.path("spec"), causes);
        completions(spec, before.path("spec").path("completions"));
        Field template = spec.at("template");
        if (!before.at("/spec/suspend").asBoolean() && !template.value().equals(before.at("/spec/template"))) {
            template.invalidValue("field is immutable");
        }
    }

    /** Checks that completions do not change, but with the parallelism of an indexed job. */
    private static void completions(Field spec, JsonNode before) {
        Field completions = spec.at("completions");
        if (completions.value().equals(before)) {
            return;
        }
        if (!spec.at("completionMode").is("Indexed") || completions.isMissing() || before.isMissingNode()) {
            completions.invalidValue("field is immutable");
        } else if (!completions.value().equals(spec.value().path("parallelism"))) {
            completions.invalidValue("can only be modified in tandem with spec.parallelism");
        }
    }
}
