package io.plat.engine.explain;

import io.plat.engine.Authorizer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.SortedSet;

/**
 * Explanation of an authorizer's decisions. Implementations are thread-safe; a call may take as long as scanning a policy or requesting another
 * server takes.
 */
public interface Explainer {
    /** Maximum number of reported grants of one request, and of one subject of a listing. */
    int MAX_GRANTS = 1000;

    /** Maximum number of reported near misses. */
    int MAX_NEAR_MISSES = 10;

    /** Maximum number of reported subjects. */
    int MAX_SUBJECTS = 200_000;

    /** Maximum number of reported rules of each kind. */
    int MAX_RULES = 10_000;

    /** Maximum length of the text of the reported rules of each kind, in characters. */
    int MAX_RULE_TEXT = 2 << 20;

    /** Returns the decision on a request with its explanation. Never null; must not throw for any attributes. */
    ExplainedDecision explain(Attributes attributes);

    /** Returns all subjects that are allowed an access. Never null; must not throw for any attributes. */
    SubjectListing subjects(AccessAttributes access);

    /**
     * Returns everything that a user may do in one namespace, and on non-resource paths. A request is allowed if and only if a rule covers it,
     * unless the listing is incomplete. Never null; must not throw.
     *
     * @param namespace {@code ""} for requests without one
     */
    RuleListing rules(UserInfo user, String namespace);

    /**
     * Returns the subjects and namespaces that the policy names, including subjects that are allowed regardless of policy;
     * {@link PolicyNames#NONE} if there is no policy to scan.
     */
    default PolicyNames names() {
        return PolicyNames.NONE;
    }

    /**
     * Returns the subjects that the policy may grant any of the accesses. May include subjects without a grant, never misses one. Scans the
     * policy once, regardless of the number of accesses.
     */
    default SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        return names().subjects();
    }

    /**
     * Returns the authorizer itself if it is an explainer, else an explainer that reports it as unable to explain.
     *
     * @param name its name in responses
     */
    static Explainer of(String name, Authorizer authorizer) {
        return authorizer instanceof Explainer explainer ? explainer : new OpaqueExplainer(name, authorizer);
    }
}
