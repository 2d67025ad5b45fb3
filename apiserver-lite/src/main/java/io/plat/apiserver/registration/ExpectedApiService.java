package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Expected APIService of a group version.
 *
 * @param group group, {@code ""} for the core group
 */
record ExpectedApiService(String group, String version, GroupVersionPriority priority, String label) {
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
}
