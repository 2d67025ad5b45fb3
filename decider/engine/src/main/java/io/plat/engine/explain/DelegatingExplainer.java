package io.plat.engine.explain;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.SortedSet;

/** An explainer that delegates to a current one, for policies that are swapped when files change. */
public interface DelegatingExplainer extends Explainer {
    /** Returns the current explainer. */
    Explainer explainer();

    @Override
    default ExplainedDecision explain(Attributes attributes) {
        return explainer().explain(attributes);
    }

    @Override
    default SubjectListing subjects(AccessAttributes access) {
        return explainer().subjects(access);
    }

    @Override
    default PolicyNames names() {
        return explainer().names();
    }

    @Override
    default SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        return explainer().holders(any);
    }

    @Override
    default RuleListing rules(UserInfo user, String namespace) {
        return explainer().rules(user, namespace);
    }
}
