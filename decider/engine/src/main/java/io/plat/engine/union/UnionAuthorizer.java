package io.plat.engine.union;

import io.plat.engine.explain.PolicyNames;
import io.plat.review.AccessAttributes;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Union of modes; see the package documentation for its semantics. For an explanation every member is called, as each may have a grant. */
public final class UnionAuthorizer extends StructuredUnion implements CompositeAuthorizer {
    /** Creates a union of members, in order. */
    public UnionAuthorizer(List<Member> members) {
        this(members, new MemberCalls(System::nanoTime));
    }

    UnionAuthorizer(List<Member> members, MemberCalls calls) {
        super(
                members.stream()
                        .map(member -> new Member(member.name(), member.authorizer()))
                        .toList(),
                (member, decision) -> {},
                calls);
    }

    /** Returns this union with members of the same name replaced. */
    public UnionAuthorizer with(Member replacement) {
        return new UnionAuthorizer(
                members().stream()
                        .map(member -> member.name().equals(replacement.name()) ? replacement : member)
                        .toList(),
                calls());
    }

    @Override
    boolean explainsAll() {
        return true;
    }

    @Override
    public List<Member> parts() {
        return members();
    }

    @Override
    public PolicyNames names() {
        PolicyNames names = PolicyNames.NONE;
        for (Member member : members()) {
            names = names.and(member.explainer().names());
        }
        return names;
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = new TreeSet<>();
        for (Member member : members()) {
            all.addAll(member.explainer().holders(any));
        }
        return all;
    }
}
