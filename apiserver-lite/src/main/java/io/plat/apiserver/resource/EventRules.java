package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.schema.FieldWords;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events: what clients note about other objects. They stand in the namespace of the object that they are about. */
final class EventRules implements TypeRules {
    /** Where events about objects without a namespace may stand. */
    private static final Set<String> OF_THE_CLUSTER = Set.of("default", "kube-system");

    private static final String TIME = "eventTime";
    private static final int LONGEST = 128;
    private static final int LONGEST_NOTE = 1024;
    private static final List<String> TYPES = List.of("Normal", "Warning");

    /** What events of old said. */
    private static final List<String> OF_OLD = List.of("firstTimestamp", "lastTimestamp", "count", "source");

    /** What never changes, and how refusals call it. */
    private static final Map<String, String> FIXED = fixed();

    private static Map<String, String> fixed() {
        var fixed = new LinkedHashMap<String, String>();
        for (String field : List.of(
                "involvedObject",
                "reason",
                "message",
                "source",
                "firstTimestamp",
                "lastTimestamp",
                "count",
                TIME,
                "action",
                "related",
                "reportingComponent",
                "reportingInstance",
                "type")) {
            fixed.put(field, field.equals("reportingComponent") ? "reportingController" : field);
        }
        return fixed;
    }

    /** Of events that were written in the form of their own group, which are held to more. */
    private final boolean strict;

    /**
     * The rules.
     *
     * @param strict whether they are those of the group that has events alone
     */
    EventRules(boolean strict) {
        this.strict = strict;
    }

    @Override
    public void check(ObjectNode event, @Nullable ObjectNode before, Causes causes) {
        checkWhose(event, causes);
        if (!Json.text(event, TIME).isEmpty()) {
            checkReport(Field.of(event, causes));
        }
        if (strict) {
            if (before == null) {
                checkNew(Field.of(event, causes));
            } else {
                checkUnchanged(event, before, causes);
            }
        }
    }

    private static void checkWhose(ObjectNode event, Causes causes) {
        String own = Json.text(event.path("metadata"), "namespace");
        String involved = Json.text(event.path("involvedObject"), "namespace");
        boolean fits = involved.isEmpty() ? OF_THE_CLUSTER.contains(own) : involved.equals(own);
        if (!fits) {
            causes.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
    }

    /** What has an exact time says who noted it, what was done and why. */
    private void checkReport(Field event) {
        Field reporter = event.as(
                strict ? "reportingController" : "reportingComponent",
                event.value().path("reportingComponent"));
        reporter.require("");
        reporter.qualifiedName();
        for (String field : List.of("reportingInstance", "action", "reason")) {
            if (event.at(field).require("") && length(event.at(field)) > LONGEST) {
                event.at(field).invalid("", "can have at most " + LONGEST + " characters");
            }
        }
        if (length(event.at("message")) > LONGEST_NOTE) {
            event.at("message").invalid("", "can have at most " + LONGEST_NOTE + " bytes");
        }
    }

    private static int length(Field text) {
        return text.text().getBytes(StandardCharsets.UTF_8).length;
    }

    private static void checkNew(Field event) {
        checkSeries(event.at("series"));
        event.at(TIME).require("");
        Field type = event.at("type");
        if (!TYPES.contains(type.text())) {
            type.invalid("", "has invalid value: " + type.text());
        }
        for (String field : OF_OLD) {
            Field said = event.at(field);
            if (!said.isEmpty() && !said.is("0")) {
                said.invalid("", "needs to be unset");
            }
        }
    }

    private static void checkSeries(Field series) {
        if (series.value().isObject()) {
            if (series.at("count").number() < 2) {
                series.at("count").invalid("", "should be at least 2");
            }
            series.at("lastObservedTime").require("");
        }
    }

    /** Of an event only its series goes on. */
    private static void checkUnchanged(ObjectNode event, ObjectNode before, Causes causes) {
        if (!event.path("series").equals(before.path("series"))) {
            checkSeries(Field.of(event, causes).at("series"));
        }
        for (Map.Entry<String, String> field : FIXED.entrySet()) {
            JsonNode now = event.path(field.getKey());
            if (!now.equals(before.path(field.getKey()))) {
                String shown =
                        now.isContainerNode() || now.isNumber() ? now.toString() : FieldWords.quoted(now.asText());
                causes.invalidLiteral(field.getValue(), now.isMissingNode() ? "null" : shown, "field is immutable");
            }
        }
    }
}
