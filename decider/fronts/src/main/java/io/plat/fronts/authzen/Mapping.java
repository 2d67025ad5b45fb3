package io.plat.fronts.authzen;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translation of questions into the attributes that the policy decides, and of names in the policy into ids.
 *
 * <p>A question whose types have no meaning is a StatusException with 404, one whose ids or properties are wrong for their types with 400.
 */
interface Mapping {
    /**
     * Returns the user of a question's subject; of a subject without an id, a user whom the policy does not know.
     *
     * @throws StatusException if there is none
     */
    UserInfo user(Question question) throws StatusException;

    /**
     * Returns the access that a question is about.
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
     * Returns the id of a resource that the policy names.
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
