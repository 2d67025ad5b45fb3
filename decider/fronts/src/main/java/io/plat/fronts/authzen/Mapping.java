package io.plat.fronts.authzen;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translation of questions into attributes for the policy, and of names in the policy into ids.
 *
 * <p>Unknown types are a StatusException with 404, ids or properties that are invalid for their types one with 400.
 */
interface Mapping {
    /**
     * Returns the user of a question's subject; for a subject without an id, a user who is unknown to the policy.
     *
     * @throws StatusException if there is none
     */
    UserInfo user(Question question) throws StatusException;

    /**
     * Returns the access of a question.
     *
     * @throws StatusException if there is none
     */
    AccessAttributes access(Question question) throws StatusException;

    /**
     * Returns the id of a subject of the policy, or null if it has another type than the question's subject.
     *
     * @throws StatusException if it can't be determined
     */
    @Nullable
    String subjectId(Question question, SubjectName subject) throws StatusException;

    /**
     * Returns the id of a resource in the policy.
     *
     * @param namespace its namespace, or {@code ""}
     * @param name its name or path, or {@code ""} for any
     * @throws StatusException if it can't be determined
     */
    String resourceId(Question question, String namespace, String name) throws StatusException;

    /** Returns the names of actions on a question's resource; empty if they are the policy's verbs. */
    List<String> actions(Question question);

    /** Returns the attributes of a question. */
    default Attributes attributes(Question question) throws StatusException {
        return new Attributes(user(question), access(question));
    }
}
