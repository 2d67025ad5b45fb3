package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the status of explanations, as another server wrote it. What it says has to hang together; unknown members are skipped. */
final class ExplanationReader {
    private final Members members;

    ExplanationReader(Members members) {
        this.members = members;
    }

    /** Reads one member of an object, if it is known. */
    @FunctionalInterface
    private interface Member {
        boolean read(String name) throws IOException, StatusException;
    }

    /** Reads an element of a list whose first token is the current one. */
    @FunctionalInterface
    private interface Element<T> {
        T read() throws IOException, StatusException;
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
        object("status", name -> {
            switch (name) {
                case "allowed" -> parts.allowed = members.bool("status.allowed");
                case "reason" -> parts.reason = members.string("status.reason");
                case "grants" -> parts.grants = list("status.grants", this::grant);
                case "grantsLeftOut" -> parts.grantsLeftOut = members.count("status.grantsLeftOut");
                case "nearMisses" -> parts.nearMisses = list("status.nearMisses", this::nearMiss);
                case "nearMissesLeftOut" -> parts.nearMissesLeftOut = members.count("status.nearMissesLeftOut");
                case "suggestion" -> parts.suggestion = suggestion();
                case "unexplained" -> parts.unexplained = list("status.unexplained", this::unexplained);
                default -> {
                    return false;
                }
            }
            return true;
        });
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
        object("status", name -> {
            switch (name) {
                case "subjects" -> parts.subjects = list("status.subjects", this::subject);
                case "subjectsLeftOut" -> parts.leftOut = members.count("status.subjectsLeftOut");
                case "unexplained" -> parts.unexplained = list("status.unexplained", this::unexplained);
                default -> {
                    return false;
                }
            }
            return true;
        });
        if (parts.subjects == null) {
            throw Members.malformed("status.subjects: missing from the answer");
        }
        return new SubjectListing(new Bounded<>(parts.subjects, parts.leftOut), parts.unexplained);
    }

    private ListedSubject subject() throws IOException, StatusException {
        String path = "status.subjects[]";
        Map<String, String> texts = new HashMap<>();
        List<NamedGrant> through = new ArrayList<>();
        long[] leftOut = {0};
        boolean[] everybody = {false};
        required(path);
        object(path, name -> {
            switch (name) {
                case "kind", "name", "namespace", "inGroup" -> texts.put(name, members.string(path + "." + name));
                case "everybody" -> everybody[0] = members.bool(path + ".everybody");
                case "through" -> through.addAll(list(path + ".through", this::grant));
                case "throughLeftOut" -> leftOut[0] = members.count(path + ".throughLeftOut");
                default -> {
                    return false;
                }
            }
            return true;
        });
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
        required("a grant");
        object("a grant", name -> grantText(name, texts));
        return grant(texts);
    }

    private NearMiss nearMiss() throws IOException, StatusException {
        String path = "status.nearMisses[]";
        Map<String, String> texts = new HashMap<>();
        List<String> lacks = new ArrayList<>();
        required(path);
        object(path, name -> {
            if (!name.equals("lacks")) {
                return grantText(name, texts);
            }
            lacks.addAll(members.strings(path + ".lacks"));
            return true;
        });
        if (lacks.isEmpty()) {
            throw Members.malformed(path + ".lacks: a near miss that lacks nothing");
        }
        return new NearMiss(grant(texts), lacks);
    }

    private boolean grantText(String name, Map<String, String> texts) throws IOException, StatusException {
        return switch (name) {
            case "authorizer", "source", "rule" -> {
                texts.put(name, members.string("a grant's " + name));
                yield true;
            }
            default -> false;
        };
    }

    private static NamedGrant grant(Map<String, String> texts) {
        return new NamedGrant(
                texts.getOrDefault("authorizer", ""), texts.getOrDefault("source", ""), texts.getOrDefault("rule", ""));
    }

    private @Nullable Suggestion suggestion() throws IOException, StatusException {
        String path = "status.suggestion";
        Map<String, String> texts = new HashMap<>();
        if (!members.object(path)) {
            return null;
        }
        object(path, name -> switch (name) {
            case "authorizer", "text", "note" -> {
                texts.put(name, members.string(path + "." + name));
                yield true;
            }
            default -> false;
        });
        String text = texts.getOrDefault("text", "");
        String note = texts.getOrDefault("note", "");
        return text.isEmpty() && note.isEmpty()
                ? null
                : new Suggestion(texts.getOrDefault("authorizer", ""), text, note);
    }

    private Unexplained unexplained() throws IOException, StatusException {
        String path = "status.unexplained[]";
        Map<String, String> texts = new HashMap<>();
        required(path);
        object(path, name -> switch (name) {
            case "authorizer", "reason" -> {
                texts.put(name, members.string(path + "." + name));
                yield true;
            }
            default -> false;
        });
        return new Unexplained(texts.getOrDefault("authorizer", ""), texts.getOrDefault("reason", ""));
    }

    private void required(String path) throws IOException, StatusException {
        if (!members.object(path)) {
            throw members.wrongType(path, "an object");
        }
    }

    /** Reads the members of an object that has begun; one that is known stands there once. */
    private void object(String path, Member member) throws IOException, StatusException {
        Set<String> names = new HashSet<>();
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            if (!member.read(name)) {
                members.skip();
            } else if (!names.add(name)) {
                throw Members.malformed(path + "." + name + ": given twice");
            }
        }
    }

    private <T> List<T> list(String path, Element<T> element) throws IOException, StatusException {
        List<T> elements = new ArrayList<>();
        if (members.array(path)) {
            while (members.json.nextToken() != JsonToken.END_ARRAY) {
                elements.add(element.read());
            }
        }
        return elements;
    }
}
