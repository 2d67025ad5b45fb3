package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Expected APIService of a group version.
 *
 * @param group group, {@code ""} for the core group
 */
record ExpectedApiService(String group, String version, Priority priority, String label) {
    /** Management label; objects without it belong to users. */
    static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";

    /** Managed once, at the start. */
    static final String ON_START = "onstart";

    /** Managed continuously. */
    static final String ALWAYS = "true";

    String name() {
        return version + "." + group;
    }

    ObjectNode object() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", name()).putObject("labels").put(LABEL, label);
        object.set("spec", spec());
        return object;
    }

    ObjectNode spec() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (!group.isEmpty()) {
            spec.put("group", group);
        }
        return spec.put("version", version)
                .put("groupPriorityMinimum", priority.group())
                .put("versionPriority", priority.version());
    }

    /** Priority of a group version; higher numbers come first. */
    record Priority(int group, int version) {
        /** Priority of custom types: after all others, sorted by version name. */
        static final Priority OF_DEFINITIONS = new Priority(1000, 100);

        /** Priorities of built-in group versions, by apiVersion. */
        static final Map<String, Priority> BUILT_IN = ProgramData.lines(Priority.class, "priorities.txt")
                .map(line -> line.split(" +"))
                .collect(Collectors.toMap(
                        words -> words[0],
                        words -> new Priority(Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
    }
}
