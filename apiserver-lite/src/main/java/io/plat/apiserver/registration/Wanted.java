package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The object that a group version is to have.
 *
 * @param group the group, {@code ""} for the core group
 * @param version the version
 * @param priority how it ranks
 * @param label how it is looked after
 */
record Wanted(String group, String version, Priority priority, String label) {
    /** The label that says how an object is looked after; without it, not at all. */
    static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";

    /** Once, when somebody begins to look after them. */
    static final String ON_START = "onstart";

    /** At any time. */
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
}
