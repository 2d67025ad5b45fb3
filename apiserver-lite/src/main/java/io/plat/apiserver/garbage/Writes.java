package io.plat.apiserver.garbage;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.type.Target;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Carries verdicts out, each on the condition that the object is still as it was judged. For any number of threads. */
final class Writes {
    private static final WriteOptions QUIET = new WriteOptions(false, WriteOptions.FieldValidation.IGNORE);
    /** Deletions are subject to admission: an owner that is made up must not have an object deleted that a policy keeps. */
    private static final Requester COLLECTOR = Requester.of(new UserInfo(
            UserInfo.serviceAccountUser("kube-system", "generic-garbage-collector"),
            List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf("kube-system"), UserInfo.AUTHENTICATED)));

    private static final JsonMapper JSON = new JsonMapper(JsonFactories.create());

    private final ResourceOperations operations;
    private final Owners owners;

    Writes(ResourceOperations operations, Owners owners) {
        this.operations = operations;
        this.owners = owners;
    }

    /**
     * Makes the change of a verdict.
     *
     * @throws StatusException as the operations throw it: 404 and 409 where the object is no longer what was judged
     */
    void carryOut(Verdict verdict) throws StatusException {
        switch (verdict) {
            case Verdict.Delete delete -> delete(delete);
            case Verdict.Drop drop ->
                patch(
                        drop.object(),
                        drop.positions(),
                        i -> JSON.createObjectNode()
                                .put("op", "remove")
                                .put("path", "/metadata/" + drop.list() + "/" + i));
        }
    }

    private void delete(Verdict.Delete delete) throws StatusException {
        Ownership object = delete.object();
        @Nullable String revision = Long.toString(object.revision());
        if (!delete.unblocked().isEmpty()) {
            // The state changes: who comes next sees it and is judged again.
            revision = null;
            patch(
                    object,
                    delete.unblocked(),
                    i -> JSON.createObjectNode()
                            .put("op", "replace")
                            .put("path", "/metadata/ownerReferences/" + i + "/blockOwnerDeletion")
                            .put("value", false));
        }
        operations.delete(
                target(object), new DeleteOptions(false, object.uid(), revision, delete.propagation()), COLLECTOR);
    }

    /** Positions are taken from behind, as each removal moves those after it. */
    private void patch(Ownership object, List<Integer> positions, IntFunction<ObjectNode> change)
            throws StatusException {
        ArrayNode patch = JSON.createArrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .put("value", Long.toString(object.revision()));
        positions.reversed().forEach(position -> patch.add(change.apply(position)));
        operations.patch(target(object), PatchFormat.JSON, patch.toString().getBytes(StandardCharsets.UTF_8), QUIET);
    }

    private Target target(Ownership object) {
        return new Target(
                owners.type(object.key().resource()),
                object.key().namespace(),
                object.key().name());
    }
}
