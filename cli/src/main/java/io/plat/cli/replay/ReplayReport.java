package io.plat.cli.replay;

import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Report;
import io.plat.cli.policy.SubjectText;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Results of a replay.
 *
 * @param unused grants that allowed nothing, null if not requested
 */
record ReplayReport(Replay replay, @Nullable List<String> unused) {
    private static final int MAX_LISTED = 20;

    void print(Report report) {
        report.print(replay.asked() + (replay.asked() == 1 ? " request, " : " requests, ") + replay.flipped()
                + " decided otherwise");
        print("newly allowed", Colour.GREEN, true, report);
        print("newly refused", Colour.RED, false, report);
        List<String> grants = unused;
        if (grants != null) {
            report.print(grants.isEmpty() ? "every grant is used" : "never used:");
            grants.forEach(grant -> report.print("  " + Quoted.oneLine(grant)));
        }
    }

    private void print(String title, Colour colour, boolean now, Report report) {
        Map<String, Map<String, Long>> bySubject = new TreeMap<>();
        for (LoggedDecision flip : replay.flips()) {
            if (flip.allowed() != now) {
                bySubject
                        .computeIfAbsent(
                                SubjectText.of(
                                        SubjectName.user(flip.asked().user().name())),
                                one -> new LinkedHashMap<>())
                        .merge(text(flip.asked().access()), 1L, Long::sum);
            }
        }
        if (bySubject.isEmpty()) {
            return;
        }
        report.print(title + ":");
        bySubject.forEach((who, accesses) -> {
            report.print("  " + who);
            List<String> shown = new ArrayList<>();
            accesses.forEach((access, times) -> shown.add(access + (times == 1 ? "" : " (" + times + " times)")));
            shown.stream()
                    .limit(MAX_LISTED)
                    .forEach(line -> report.print("    " + report.paint(colour, Quoted.oneLine(line))));
            if (shown.size() > MAX_LISTED) {
                report.print("    and " + (shown.size() - MAX_LISTED) + " more");
            }
        });
    }

    private static String text(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes asked ->
                asked.verb() + " " + asked.resource()
                        + (asked.subresource().isEmpty() ? "" : "/" + asked.subresource())
                        + (asked.group().isEmpty() ? "" : "." + asked.group())
                        + (asked.name().isEmpty() ? "" : " " + asked.name())
                        + (asked.namespace().isEmpty() ? "" : " in " + asked.namespace());
            case NonResourceAttributes asked -> asked.verb() + " " + asked.path();
        };
    }

    Object document() {
        long leftOut = replay.flipped() - replay.flips().size();
        List<JsonAnswer.Body> flips =
                replay.flips().stream().map(ReplayReport::flip).toList();
        return JsonAnswer.object(
                "asked",
                replay.asked(),
                "flips",
                flips,
                "flipsLeftOut",
                leftOut > 0 ? leftOut : null,
                "unused",
                unused);
    }

    private static JsonAnswer.Body flip(LoggedDecision flip) {
        return json -> {
            json.writeStartObject();
            json.writeNumberField("line", flip.line());
            ReviewCodec.writeSpec(ReviewVersion.K8S_V1, flip.asked(), json);
            json.writeStringField("was", flip.allowed() ? "allow" : "deny");
            json.writeStringField("now", flip.allowed() ? "deny" : "allow");
            json.writeEndObject();
        };
    }
}
