package io.plat.review.codec;

import io.plat.review.explain.Bounded;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.Unexplained;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the status of explanations, as another server wrote it. What it says has to hang together; unknown members are skipped. */
final class ExplanationReader {
    private final Members members;

    ExplanationReader(Members members) {
        this.members = members;
    }

    /** What is collected of an explanation before it is whole. */
    private static final class Parts {
        private @Nullable Boolean allowed;
        private String reason = "";
        private List<NamedGrant> grants = List.of();
        private long grantsLeftOut;
        private List<NearMiss> nearMisses = List.of();
        private long nearMissesLeftOut;
        private @Nullable Suggestion suggestion;
        private List<Unexplained> unexplained = List.of();
    }

    Explanation explanation() throws IOException, StatusException {
        Parts parts = new Parts();
        members.read(
                "status",
                Map.of(
                        "allowed", at -> parts.allowed = members.bool(at),
                        "reason", at -> parts.reason = members.string(at),
                        "grants", at -> parts.grants = members.list(at, this::grant),
                        "grantsLeftOut", at -> parts.grantsLeftOut = members.count(at),
                        "nearMisses", at -> parts.nearMisses = members.list(at, this::nearMiss),
                        "nearMissesLeftOut", at -> parts.nearMissesLeftOut = members.count(at),
                        "suggestion", at -> parts.suggestion = suggestion(at),
                        "unexplained", at -> parts.unexplained = members.list(at, this::unexplained)));
        if (parts.allowed == null) {
            throw Members.malformed("status.allowed: missing from the answer");
        }
        if (parts.allowed == parts.grants.isEmpty()) {
            throw Members.malformed("status.grants: expected grants exactly where the request is allowed");
        }
        return new Explanation(
                parts.allowed,
                parts.reason,
                new Findings(
                        new Bounded<>(parts.grants, parts.grantsLeftOut),
                        new Bounded<>(parts.nearMisses, parts.nearMissesLeftOut),
                        parts.suggestion,
                        parts.unexplained));
    }

    /** What is collected of a listing before it is whole. */
    private static final class Listed {
        private @Nullable List<ListedSubject> subjects;
        private long leftOut;
        private List<Unexplained> unexplained = List.of();
    }

    SubjectListing listing() throws IOException, StatusException {
        Listed parts = new Listed();
        members.read(
                "status",
                Map.of(
                        "subjects", at -> parts.subjects = members.list(at, this::subject),
                        "subjectsLeftOut", at -> parts.leftOut = members.count(at),
                        "unexplained", at -> parts.unexplained = members.list(at, this::unexplained)));
        if (parts.subjects == null) {
            throw Members.malformed("status.subjects: missing from the answer");
        }
        return new SubjectListing(new Bounded<>(parts.subjects, parts.leftOut), parts.unexplained);
    }

    private ListedSubject subject() throws IOException, StatusException {
        String path = "status.subjects[]";
        List<NamedGrant> through = new ArrayList<>();
        long[] leftOut = {0};
        boolean[] everybody = {false};
        Map<String, String> texts = new HashMap<>();
        Map<String, Members.Reader> known = texts(texts, "kind", "name", "namespace", "inGroup");
        known.put("everybody", at -> everybody[0] = members.bool(at));
        known.put("through", at -> through.addAll(members.list(at, this::grant)));
        known.put("throughLeftOut", at -> leftOut[0] = members.count(at));
        members.required(path, known);
        if (through.isEmpty()) {
            throw Members.malformed(path + ".through: a subject without a grant");
        }
        return new ListedSubject(name(path, texts, everybody[0]), new Bounded<>(through, leftOut[0]));
    }

    private static SubjectName name(String path, Map<String, String> texts, boolean everybody) throws StatusException {
        String kind = texts.getOrDefault("kind", "");
        String name = texts.getOrDefault("name", "");
        String namespace = texts.getOrDefault("namespace", "");
        for (SubjectName.Kind known : SubjectName.Kind.values()) {
            if (known.word().equals(kind) && everybody == (known == SubjectName.Kind.EVERYBODY)) {
                return new SubjectName(known, name, namespace, texts.getOrDefault("inGroup", ""));
            }
        }
        throw Members.malformed(path + ".kind: unknown kind " + Quoted.of(kind));
    }

    private NamedGrant grant() throws IOException, StatusException {
        Map<String, String> texts = new HashMap<>();
        members.required("a grant", grantTexts(texts));
        return grant(texts);
    }

    private NearMiss nearMiss() throws IOException, StatusException {
        String path = "status.nearMisses[]";
        Map<String, String> texts = new HashMap<>();
        List<String> lacks = new ArrayList<>();
        Map<String, Members.Reader> known = grantTexts(texts);
        known.put("lacks", at -> lacks.addAll(members.strings(at)));
        members.required(path, known);
        if (lacks.isEmpty()) {
            throw Members.malformed(path + ".lacks: a near miss that lacks nothing");
        }
        return new NearMiss(grant(texts), lacks);
    }

    private Map<String, Members.Reader> grantTexts(Map<String, String> texts) {
        return texts(texts, "authorizer", "source", "rule");
    }

    /** Readers of members that are texts. */
    private Map<String, Members.Reader> texts(Map<String, String> texts, String... names) {
        Map<String, Members.Reader> known = new HashMap<>();
        for (String name : names) {
            known.put(name, at -> texts.put(name, members.string(at)));
        }
        return known;
    }

    private static NamedGrant grant(Map<String, String> texts) {
        return new NamedGrant(
                texts.getOrDefault("authorizer", ""), texts.getOrDefault("source", ""), texts.getOrDefault("rule", ""));
    }

    private @Nullable Suggestion suggestion(String path) throws IOException, StatusException {
        if (!members.object(path)) {
            return null;
        }
        Map<String, String> texts = new HashMap<>();
        members.read(path, texts(texts, "authorizer", "text", "note"));
        String text = texts.getOrDefault("text", "");
        String note = texts.getOrDefault("note", "");
        return text.isEmpty() && note.isEmpty()
                ? null
                : new Suggestion(texts.getOrDefault("authorizer", ""), text, note);
    }

    private Unexplained unexplained() throws IOException, StatusException {
        Map<String, String> texts = new HashMap<>();
        members.required("status.unexplained[]", texts(texts, "authorizer", "reason"));
        return new Unexplained(texts.getOrDefault("authorizer", ""), texts.getOrDefault("reason", ""));
    }
}
