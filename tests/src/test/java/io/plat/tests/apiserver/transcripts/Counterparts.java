package io.plat.tests.apiserver.transcripts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that kube-apiserver generated (uids, versions, tokens, generated names) and their counterparts of this server. The first
 * occurrence of a value establishes the pair, which must then be consistent. Values without a meaning of their own are normalized.
 */
final class Counterparts {
    private static final Set<String> MADE_UP = Set.of("uid", "resourceVersion", "continue");

    /** Versions and uids inside messages. */
    private static final Pattern IN_MESSAGE = Pattern.compile("current: ([0-9]+)|UID in record \\(([-0-9a-f]+)\\)");

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    private static final Pattern AGE = Pattern.compile("\\d+s");
    private static final Pattern CREDENTIAL = Pattern.compile("X509SHA256=[0-9a-f]{64}");

    private final Map<String, String> ours = new HashMap<>();

    /** Returns the comparable part of a response: without prose, times, ages, addresses, and field managers. */
    static JsonNode comparable(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode compared = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(field -> {
                switch (field.getKey()) {
                    case "managedFields", "description" -> {}
                    case "continue" -> {
                        // The specification has it on every list, empty at the end; kube-apiserver omits an empty one.
                        if (!field.getValue().asText().isEmpty()) {
                            compared.set("continue", field.getValue());
                        }
                    }
                    case "serverAddress" -> compared.put("serverAddress", "ADDRESS");
                    default -> compared.set(field.getKey(), comparable(field.getValue()));
                }
            });
            return compared;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode compared = JsonNodeFactory.instance.arrayNode();
            array.forEach(item -> compared.add(comparable(item)));
            return compared;
        }
        return node.isTextual() ? TextNode.valueOf(comparable(node.asText())) : node;
    }

    private static String comparable(String text) {
        if (TIME.matcher(text).matches()) {
            return "TIME";
        }
        return AGE.matcher(text).matches() ? "AGE" : CREDENTIAL.matcher(text).replaceAll("X509SHA256=DIGEST");
    }

    /** Pairs the values at the same position of two responses. */
    void learn(JsonNode theirs, JsonNode own) {
        if (theirs instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                learn(list.get(i), own.path(i));
            }
        }
        theirs.properties().forEach(field -> {
            JsonNode counterpart = own.path(field.getKey());
            boolean generated = field.getKey().equals("name") && theirs.has("generateName");
            if (counterpart.isTextual() && (generated || MADE_UP.contains(field.getKey()))) {
                ours.putIfAbsent(field.getValue().asText(), counterpart.asText());
            } else if (counterpart.isTextual() && field.getKey().equals("message")) {
                learn(field.getValue().asText(), counterpart.asText());
            } else {
                learn(field.getValue(), counterpart);
            }
        });
    }

    private void learn(String theirs, String own) {
        Matcher theirValues = IN_MESSAGE.matcher(theirs);
        Matcher ownValues = IN_MESSAGE.matcher(own);
        while (theirValues.find() && ownValues.find()) {
            for (int group = 1; group <= theirValues.groupCount(); group++) {
                if (theirValues.group(group) != null && ownValues.group(group) != null) {
                    ours.putIfAbsent(theirValues.group(group), ownValues.group(group));
                }
            }
        }
    }

    /** Returns kube-apiserver's response with this server's generated values. */
    JsonNode mapped(JsonNode theirs) {
        if (theirs instanceof ObjectNode object) {
            ObjectNode mapped = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(field -> mapped.set(field.getKey(), mapped(field.getValue())));
            return mapped;
        }
        if (theirs instanceof ArrayNode array) {
            ArrayNode mapped = JsonNodeFactory.instance.arrayNode();
            array.forEach(item -> mapped.add(mapped(item)));
            return mapped;
        }
        return theirs.isTextual() ? TextNode.valueOf(mapped(theirs.asText())) : theirs;
    }

    /** Replaces generated values in a text or in its parts. */
    String mapped(String theirs) {
        String whole = ours.get(theirs);
        if (whole != null) {
            return whole;
        }
        String mapped = theirs;
        for (Map.Entry<String, String> pair : ours.entrySet()) {
            // Short numbers may not be versions.
            if (pair.getKey().length() >= 6) {
                mapped = mapped.replace(pair.getKey(), pair.getValue());
            }
        }
        return mapped;
    }
}
