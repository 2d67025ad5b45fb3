package io.plat.cli.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.policy.SubjectText;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a replay found.
 *
 * @param replay the replay
 * @param unused grants that allowed nothing, null where that was not asked
 */
record ReplayReport(Replay replay, @Nullable List<String> unused) {
    private static final int MOST_TOLD = 20;

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
        for (Flip flip : replay.flips()) {
            if (flip.now() == now) {
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
                    .limit(MOST_TOLD)
                    .forEach(line -> report.print("    " + report.paint(colour, Quoted.oneLine(line))));
            if (shown.size() > MOST_TOLD) {
                report.print("    and " + (shown.size() - MOST_TOLD) + " more");
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

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("asked", replay.asked());
        json.writeArrayFieldStart("flips");
        for (Flip flip : replay.flips()) {
            json.writeStartObject();
            json.writeNumberField("line", flip.line());
            ReviewCodec.writeSpec(ReviewVersion.K8S_V1, flip.asked(), json);
            json.writeStringField("was", Flip.word(!flip.now()));
            json.writeStringField("now", Flip.word(flip.now()));
            json.writeEndObject();
        }
        json.writeEndArray();
        if (replay.flipped() > replay.flips().size()) {
            json.writeNumberField(
                    "flipsLeftOut", replay.flipped() - replay.flips().size());
        }
        List<String> grants = unused;
        if (grants != null) {
            json.writeArrayFieldStart("unused");
            for (String grant : grants) {
                json.writeString(JsonText.wellFormed(grant));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
