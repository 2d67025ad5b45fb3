package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.status.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with expressions in objects of the catalog's types. Asked with every write; for any number of threads. */
@FunctionalInterface
public interface ExpressionCheck {
    /** Expressions are stored unread. */
    ExpressionCheck NONE = (storage, object, before) -> List.of();

    /**
     * Says which expressions can't be used, of those that are new.
     *
     * @param storage the resource that stores the type
     * @param object the object to be stored, in its stored version; perhaps not valid otherwise
     * @param before its present state; null for a creation
     */
    List<Status.Cause> check(String storage, JsonNode object, @Nullable JsonNode before);
}
