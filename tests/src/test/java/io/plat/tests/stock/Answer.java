package io.plat.tests.stock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A response of a server.
 *
 * @param contentType media type with parameters; empty for none
 * @param body JSON body; a text for any other representation; missing or null if it was not recorded
 * @param warnings texts of the {@code Warning} headers
 */
record Answer(int status, String contentType, JsonNode body, List<String> warnings) {
    /** Members that always differ between runs. */
    private static final Set<String> VOLATILE = Set.of(
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "managedFields",
            "clusterIP",
            "clusterIPs",
            "nodePort",
            "healthCheckNodePort",
            "token",
            "expirationTimestamp",
            "lastTransitionTime",
            "lastUpdateTime",
            "startTime",
            "selfLink",
            "authentication.kubernetes.io/credential-id",
            "serverAddressByClientCIDRs",
            "batch.kubernetes.io/controller-uid",
            "controller-uid");

    private static final String DECODING = "json: cannot unmarshal #";

    /** Lists whose order is irrelevant. */
    private static final Set<String> UNORDERED = Set.of("resourceRules", "nonResourceRules");

    /** Parts of texts that differ between runs or implementations: generated names, times, Go types, echoed objects. */
    private static final List<Part> PARTS = List.of(
            new Part("(in record \\(|in object meta: )[0-9a-f-]+", "$1#"),
            new Part(
                    "requested (&user.DefaultInfo\\{.*\\}|\\[.*\\]) without impersonating a user( name)?",
                    "without a user"),
            new Part(" in scheme \"[^\"]*\"", ""),
            new Part("kube-api-access-[a-z0-9]{5}", "kube-api-access-#"),
            new Part("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "#"),
            new Part("^\\d+[sm]$", "#"),
            new Part(
                    "json: cannot unmarshal \\S+( \\S+)? into Go (struct field \\S+|value) of type [^\\s,\"]+( \\{[^}]*\\})?",
                    DECODING),
            new Part("(cannot restore \\S+ from:? \\S+|unrecognized type: \\S+|cannot convert \\S+ to \\S+)", DECODING),
            new Part("Invalid value: \"(\\{|map\\[)(?:[^\"\\\\]++|\\\\.)*+\"", "Invalid value: {#}"));

    /** The replacement of each match of a pattern. */
    private record Part(Pattern pattern, String replacement) {
        Part(String regex, String replacement) {
            this(Pattern.compile(regex), replacement);
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the texts of an array. */
    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Returns the response without volatile parts. */
    Answer stable() {
        boolean yaml = contentType.startsWith("application/yaml") && body.isTextual();
        JsonNode copy = yaml
                ? JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(body.textValue()))
                : body.deepCopy();
        return new Answer(status, contentType, strip(copy), warnings);
    }

    private static JsonNode strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
            while (members.hasNext()) {
                var member = members.next();
                if (VOLATILE.contains(member.getKey()) && !member.getValue().isObject()) {
                    members.remove();
                } else if (UNORDERED.contains(member.getKey()) && member.getValue() instanceof ArrayNode list) {
                    List<JsonNode> sorted = new ArrayList<>();
                    list.forEach(sorted::add);
                    sorted.sort(Comparator.comparing(
                            rule -> JSON.convertValue(rule, TreeMap.class).toString()));
                    list.removeAll().addAll(sorted);
                } else if (member.getKey().equals("columnDefinitions")) {
                    member.getValue().forEach(column -> ((ObjectNode) column).remove("description"));
                } else {
                    member.setValue(strip(member.getValue()));
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, strip(array.get(i)));
            }
        } else if (node.isTextual()) {
            String text = node.textValue();
            for (Part part : PARTS) {
                text = part.pattern().matcher(text).replaceAll(part.replacement());
            }
            return new TextNode(text);
        }
        return node;
    }
}
