package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.status.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of expressions in objects of built-in types. Called for every write; thread-safe. */
@FunctionalInterface
public interface ExpressionCheck {
    ExpressionCheck NONE = (storage, object, before) -> List.of();

    /**
     * Returns the problems of new expressions.
     *
     * @param storage stored resource of the type
     * @param object object to be stored, in stored form; possibly invalid otherwise
     * @param before current state; null for a creation
     */
    List<Status.Cause> check(String storage, JsonNode object, @Nullable JsonNode before);
}
