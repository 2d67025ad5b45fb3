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
 * Says what its decisions go by. Implementations are safe for use by any number of threads; a call may take as long as looking through
 * a policy or asking another server takes.
 */
public interface Explainer {
    /** How many grants of one request, and of one subject of a listing, are told. */
    int MOST_GRANTS = 1000;

    /** How many near misses are told. */
    int MOST_NEAR_MISSES = 10;

    /** How many subjects are told. */
    int MOST_SUBJECTS = 200_000;

    /** How many rules of each kind are told of one user. */
    int MOST_RULES = 10_000;

    /** The decision on one question, and what it goes by. Never null; must not throw for any attributes. */
    Explained explain(Attributes attributes);

    /** Everybody who may do something. Never null; must not throw for any attributes. */
    SubjectListing subjects(AccessAttributes access);

    /**
     * Everything that somebody may do in one namespace, and on paths that are no resource. What a rule covers is allowed there, and
     * what is allowed there is covered by a rule, unless the listing is incomplete. Never null; must not throw.
     *
     * @param namespace never {@code ""}
     */
    RuleListing rules(UserInfo user, String namespace);

    /** Whom and where the policy names, with those who pass besides it; {@link PolicyNames#NONE} where there is no policy to be looked through. */
    default PolicyNames names() {
        return PolicyNames.NONE;
    }

    /**
     * Those whom the policy names where it grants any of some accesses: in a row of each all that a table of who may do what needs. May
     * be more than those who are granted one, never fewer. Looks at the policy once, however many accesses there are.
     */
    default SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        return names().subjects();
    }

    /**
     * The explainer of an authorizer: itself where it is one, else one that names it as not able to explain.
     *
     * @param name what answers call it
     */
    static Explainer of(String name, Authorizer authorizer) {
        return authorizer instanceof Explainer explainer ? explainer : new Silent(name, authorizer);
    }
}
