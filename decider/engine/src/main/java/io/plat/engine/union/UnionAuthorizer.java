package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.explain.Composed;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.Merged;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.Rules;
import io.plat.engine.explain.Subjects;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The union of authorizers; see the package for what it decides. */
public final class UnionAuthorizer implements Authorizer, Explainer, Composed {
    private final List<Member> members;
    private final Asker asker;

    /** The union of the members, asked in this order. */
    public UnionAuthorizer(List<Member> members) {
        this(members, System::nanoTime);
    }

    /**
     * The same with a clock of its own.
     *
     * @param nanoTime nanoseconds that only grow; limits how often a failing member is logged
     */
    UnionAuthorizer(List<Member> members, LongSupplier nanoTime) {
        this(members, new Asker(nanoTime));
    }

    private UnionAuthorizer(List<Member> members, Asker asker) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a union needs a member");
        }
        this.members = List.copyOf(members);
        this.asker = asker;
    }

    /** The same union with another authorizer in the place of each member that has this one's name. */
    public UnionAuthorizer with(Member replacement) {
        return new UnionAuthorizer(
                members.stream()
                        .map(member -> member.name().equals(replacement.name()) ? replacement : member)
                        .toList(),
                asker);
    }

    @Override
    public List<Part> parts() {
        return members.stream()
                .map(member -> new Part(member.name(), member.authorizer()))
                .toList();
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Refusals refusals = new Refusals();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            Decision decision = asker.ask(member, attributes);
            if (decision instanceof Allow) {
                return decision;
            }
            refusals.add(member, decision);
        }
        return refusals.together();
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        Refusals refusals = new Refusals();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            Decision decision = asker.askMemory(member, attributes);
            if (decision == null || decision instanceof Allow) {
                return decision;
            }
            refusals.add(member, decision);
        }
        return refusals.together();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Every member is asked, also behind one that allows: each may have a grant.
     */
    @Override
    public Explained explain(Attributes attributes) {
        Refusals refusals = new Refusals();
        Merged merged = new Merged();
        Allow first = null;
        for (Member member : members) {
            Explained explained = asker.explain(member, attributes);
            merged.add(explained.findings());
            if (!(explained.decision() instanceof Allow allow)) {
                refusals.add(member, explained.decision());
            } else if (first == null) {
                first = allow;
            }
        }
        return merged.with(first == null ? refusals.together() : first);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        Subjects subjects = new Subjects();
        for (Member member : members) {
            subjects.addAll(asker.subjects(member, access));
        }
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        Rules rules = new Rules();
        for (Member member : members) {
            rules.addAll(asker.rules(member, user, namespace));
        }
        return rules.listing();
    }

    @Override
    public PolicyNames names() {
        PolicyNames names = PolicyNames.NONE;
        for (Member member : members) {
            names = names.and(Explainer.of(member.name(), member.authorizer()).names());
        }
        return names;
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = new TreeSet<>();
        for (Member member : members) {
            all.addAll(Explainer.of(member.name(), member.authorizer()).holders(any));
        }
        return all;
    }
}
