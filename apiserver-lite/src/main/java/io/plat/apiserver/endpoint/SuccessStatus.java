package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.resource.Result;

/** The Status that says an object is gone. */
final class SuccessStatus {
    private SuccessStatus() {}

    static byte[] of(Result.Deleted deleted) {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", deleted.name());
        if (!deleted.group().isEmpty()) {
            details.put("group", deleted.group());
        }
        details.put("kind", deleted.resource()).put("uid", deleted.uid());
        return DocumentAnswer.bytes(status);
    }
}
