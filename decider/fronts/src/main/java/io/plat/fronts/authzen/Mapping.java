package io.plat.fronts.authzen;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translation of evaluations into attributes for the policy, and of names in the policy into ids.
 *
 * <p>Unknown types are a StatusException with 404, ids or properties that are invalid for their types one with 400.
 */
interface Mapping {
    /**
     * Returns the user of an evaluation's subject; for a subject without an id, a user who is unknown to the policy.
     *
     * @throws StatusException if there is none
     */
    UserInfo user(EvaluationRequest evaluation) throws StatusException;

    /**
     * Returns the access of an evaluation.
     *
     * @throws StatusException if there is none
     */
    AccessAttributes access(EvaluationRequest evaluation) throws StatusException;

    /**
     * Returns the id of a subject of the policy, or null if it has another type than the evaluation's subject.
     *
     * @throws StatusException if it can't be determined
     */
    @Nullable
    String subjectId(EvaluationRequest evaluation, SubjectName subject) throws StatusException;

    /**
     * Returns the id of a resource in the policy.
     *
     * @param namespace its namespace, or {@code ""}
     * @param name its name or path, or {@code ""} for any
     * @throws StatusException if it can't be determined
     */
    String resourceId(EvaluationRequest evaluation, String namespace, String name) throws StatusException;

    /** Returns the names of actions on an evaluation's resource; empty if they are the policy's verbs. */
    List<String> actions(EvaluationRequest evaluation);

    /** Returns the attributes of an evaluation. */
    default Attributes attributes(EvaluationRequest evaluation) throws StatusException {
        return new Attributes(user(evaluation), access(evaluation));
    }
}
