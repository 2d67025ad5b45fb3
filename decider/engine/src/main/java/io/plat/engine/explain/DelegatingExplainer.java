package io.plat.engine.explain;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.SortedSet;

/** Says what another says, which may be another one from call to call: for what is swapped in whole when its files change. */
public interface DelegatingExplainer extends Explainer {
    /** Who explains now. */
    Explainer explainer();

    @Override
    default Explained explain(Attributes attributes) {
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
