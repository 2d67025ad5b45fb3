package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;

/**
 * The selector of a job that does not bring one: by the job's uid, so that no two jobs ever select each other's pods. Its template, and a job
 * without labels of its own, are given what is selected.
 */
final class JobSelector {
    private static final String PREFIX = "batch.kubernetes.io/";
    private static final String UID = "controller-uid";
    private static final String NAME = "job-name";

    private JobSelector() {}

    /** Gives a new job its selector; its name and uid are known. */
    static void generate(ObjectNode job, ObjectNode spec) {
        String name = Json.text(job.path("metadata"), "name");
        String uid = Json.text(job.path("metadata"), "uid");
        if (uid.isEmpty()) {
            return;
        }
        ObjectNode metadata = Json.child(Json.child(spec, "template"), "metadata");
        ObjectNode labels = Json.child(metadata, "labels");
        for (String prefix : List.of(PREFIX, "")) {
            ServiceRules.putAbsent(labels, prefix + UID, uid);
            ServiceRules.putAbsent(labels, prefix + NAME, name);
        }
        ObjectNode selected = Json.child(Json.child(spec, "selector"), "matchLabels");
        ServiceRules.putAbsent(selected, PREFIX + UID, uid);
        ObjectNode own = Json.child(job, "metadata");
        if (own.path("labels").isEmpty()) {
            own.set("labels", labels.deepCopy());
        }
    }
}
