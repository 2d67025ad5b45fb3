package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of the status of explanations of another server. The status must be consistent; unknown members are skipped. */
record ExplanationReader(Members members) {
    static final MemberNames GRANT = MemberNames.of("authorizer", "source", "rule");
    static final MemberNames SUGGESTION = MemberNames.of("authorizer", "text", "note");
    static final MemberNames UNEXPLAINED = MemberNames.of("authorizer", "reason");

    private static final MemberNames MISS = MemberNames.of("authorizer", "source", "rule", "lacks");
    private static final MemberNames EXPLANATION = MemberNames.of(
            "allowed",
            "reason",
            "grants",
            "grantsLeftOut",
            "nearMisses",
            "nearMissesLeftOut",
            "suggestion",
            "unexplained");
    private static final MemberNames LISTING = MemberNames.of("subjects", "subjectsLeftOut", "unexplained");
    private static final MemberNames SUBJECT =
            MemberNames.of("kind", "name", "namespace", "inGroup", "everybody", "through", "throughLeftOut");

    Explanation explanation() throws IOException, StatusException {
        Boolean allowed = null;
        String reason = "";
        List<NamedGrant> grants = List.of();
        long grantsLeftOut = 0;
        List<NearMiss> nearMisses = List.of();
        long nearMissesLeftOut = 0;
        Suggestion suggestion = null;
        List<UnexplainedAuthorizer> unexplained = List.of();
        Members.Known known = members.known(EXPLANATION);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "allowed" -> allowed = members.bool();
                case "reason" -> reason = members.string();
                case "grants" -> grants = members.list(this::grant);
                case "grantsLeftOut" -> grantsLeftOut = members.count();
                case "nearMisses" -> nearMisses = members.list(this::nearMiss);
                case "nearMissesLeftOut" -> nearMissesLeftOut = members.count();
                case "suggestion" -> suggestion = members.object() ? suggestion() : null;
                default -> unexplained = members.list(this::unexplained);
            }
        }
        if (allowed == null) {
            throw ResponseReader.missing("status.allowed");
        }
        if (allowed == grants.isEmpty()) {
            throw Members.malformed("status.grants: expected grants exactly where the request is allowed");
        }
        return new Explanation(
                allowed,
                reason,
                new Findings(
                        new BoundedList<>(grants, grantsLeftOut),
                        new BoundedList<>(nearMisses, nearMissesLeftOut),
                        suggestion,
                        unexplained));
    }

    SubjectListing listing() throws IOException, StatusException {
        List<ListedSubject> subjects = null;
        long leftOut = 0;
        List<UnexplainedAuthorizer> unexplained = List.of();
        Members.Known known = members.known(LISTING);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "subjects" -> subjects = members.list(this::subject);
                case "subjectsLeftOut" -> leftOut = members.count();
                default -> unexplained = members.list(this::unexplained);
            }
        }
        if (subjects == null) {
            throw ResponseReader.missing("status.subjects");
        }
        return new SubjectListing(new BoundedList<>(subjects, leftOut), unexplained);
    }

    private ListedSubject subject() throws IOException, StatusException {
        String[] texts = {"", "", "", ""};
        List<NamedGrant> through = List.of();
        long leftOut = 0;
        boolean everybody = false;
        Members.Known known = members.required(SUBJECT);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "everybody" -> everybody = members.bool();
                case "through" -> through = members.list(this::grant);
                case "throughLeftOut" -> leftOut = members.count();
                default -> texts[known.position()] = members.string();
            }
        }
        if (through.isEmpty()) {
            throw Members.malformed("status.subjects[].through: a subject without a grant");
        }
        return new ListedSubject(name(texts, everybody), new BoundedList<>(through, leftOut));
    }

    private static SubjectName name(String[] texts, boolean everybody) throws StatusException {
        for (SubjectName.Kind kind : SubjectName.Kind.values()) {
            if (kind.word().equals(texts[0]) && everybody == (kind == SubjectName.Kind.EVERYBODY)) {
                return new SubjectName(kind, texts[1], texts[2], texts[3]);
            }
        }
        throw Members.malformed("status.subjects[].kind: unknown kind " + Quoted.of(texts[0]));
    }

    private NamedGrant grant() throws IOException, StatusException {
        if (members.json().currentToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("a grant", "an object");
        }
        String[] texts = members.known(GRANT).texts();
        return new NamedGrant(texts[0], texts[1], texts[2]);
    }

    private NearMiss nearMiss() throws IOException, StatusException {
        String[] texts = {"", "", ""};
        List<String> lacks = List.of();
        Members.Known known = members.required(MISS);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "lacks" -> lacks = members.strings();
                default -> texts[known.position()] = members.string();
            }
        }
        if (lacks.isEmpty()) {
            throw Members.malformed("status.nearMisses[].lacks: a near miss that lacks nothing");
        }
        return new NearMiss(new NamedGrant(texts[0], texts[1], texts[2]), lacks);
    }

    private @Nullable Suggestion suggestion() throws IOException, StatusException {
        String[] texts = members.known(SUGGESTION).texts();
        return texts[1].isEmpty() && texts[2].isEmpty() ? null : new Suggestion(texts[0], texts[1], texts[2]);
    }

    private UnexplainedAuthorizer unexplained() throws IOException, StatusException {
        String[] texts = members.required(UNEXPLAINED).texts();
        return new UnexplainedAuthorizer(texts[0], texts[1]);
    }
}
