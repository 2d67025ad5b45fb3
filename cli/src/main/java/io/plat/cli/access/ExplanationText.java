package io.plat.cli.access;

import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.Report;
import io.plat.cli.request.AccessRequestText;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An explanation as text: the decision, then the grants or what the nearest ones lack, then the next step. */
record ExplanationText(Report report, UserInfo user, AccessAttributes access) {
    /** Maximum number of near misses; only the JSON output has all of them. */
    private static final int NEAREST = 3;

    /** Maximum number of verbs or resources in a sentence. */
    private static final int MAX_WORDS = 8;

    private static final Pattern NAMESPACE = Pattern.compile("\\bRoleBinding/([^/ ]+)/");

    void print(Explanation explanation) {
        String reason = Quoted.shortLine(explanation.reason());
        String verdict = explanation.allowed() ? report.paint(Colour.GREEN, "yes") : report.paint(Colour.RED, "no");
        report.print(verdict + (reason.isEmpty() ? "" : " - " + reason));
        report.print("request: " + AccessRequestText.of(user) + ": " + AccessRequestText.of(access));
        Findings findings = explanation.findings();
        if (explanation.allowed()) {
            report.print("granted by:");
            for (NamedGrant grant : findings.grants().items()) {
                report.print("  " + source(grant));
                report.print("    " + Quoted.shortLine(grant.rule()));
            }
            more(findings.grants().leftOut());
        } else {
            nearest(findings);
        }
    }

    private void nearest(Findings findings) {
        if (findings.nearMisses().items().isEmpty()) {
            report.print(findings.unexplained().isEmpty() ? "no rule almost matches" : "no known rule almost matches");
        } else {
            report.print("nearest:");
        }
        List<NearMiss> misses = findings.nearMisses().items();
        for (NearMiss miss : misses.subList(0, Math.min(misses.size(), NEAREST))) {
            report.print("  " + sentence(miss));
            report.print("    " + source(miss.grant()));
        }
        more(Math.max(0, misses.size() - NEAREST) + findings.nearMisses().leftOut());
        Suggestion suggestion = findings.suggestion();
        if (suggestion != null) {
            report.print(
                    suggestion.text().isEmpty()
                            ? "no grant is suggested: " + Quoted.shortLine(suggestion.note())
                            : "to allow it, let " + Quoted.name(user.name()) + " " + AccessRequestText.of(access)
                                    + "; --suggest prints the smallest grant ("
                                    + Quoted.shortLine(suggestion.authorizer()) + ")");
        }
    }

    /** Returns the grant of a near miss, and how the request differs. */
    private String sentence(NearMiss miss) {
        boolean others = miss.lacks().contains("user") || miss.lacks().contains("group");
        Matcher namespace = NAMESPACE.matcher(miss.grant().source());
        Set<String> instead = new LinkedHashSet<>();
        miss.lacks().forEach(lack -> instead.add(instead(lack)));
        return Quoted.shortLine((others ? "others have " : user.name() + " has ") + granted(miss.grant())
                + (namespace.find() ? " in namespace " + namespace.group(1) : "") + "; this request is "
                + String.join(", ", instead));
    }

    private String instead(String lack) {
        return switch (lack) {
            case "user", "group" -> "by " + (user.name().isEmpty() ? "somebody else" : user.name());
            case "verb" -> "to " + access.verb();
            case "namespace" ->
                access instanceof ResourceAttributes request
                                && !request.namespace().isEmpty()
                        ? "in namespace " + request.namespace()
                        : "not limited to a namespace";
            case "path", "apiGroup", "resource", "subresource", "name" -> "for " + AccessRequestText.target(access);
            default -> "for another " + lack;
        };
    }

    /** Returns the verbs and resources of a rule as text; the rule itself if it has another form, or was shortened. */
    private static String granted(NamedGrant grant) {
        try {
            if (JsonDocument.read(grant.rule().getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> rule
                    && rule.get("verbs") instanceof List<?> verbs) {
                return joined(verbs) + " on " + joined(rule.get("nonResourceURLs")) + joined(rule.get("resources"))
                        + (List.of("").equals(rule.get("apiGroups")) ? "" : prefixed(" of ", rule.get("apiGroups")))
                        + prefixed(" named ", rule.get("resourceNames"));
            }
        } catch (IOException shortened) {
            return grant.rule();
        }
        return grant.rule();
    }

    private static String prefixed(String prefix, @Nullable Object values) {
        return values instanceof List<?> ? prefix + joined(values) : "";
    }

    private static String joined(@Nullable Object values) {
        if (!(values instanceof List<?> all)) {
            return "";
        }
        List<String> shown = all.stream()
                .limit(MAX_WORDS)
                .map(word -> word.equals("") ? "the core group" : String.valueOf(word))
                .toList();
        return String.join(", ", shown)
                + (shown.size() < all.size() ? " and " + (all.size() - shown.size()) + " more" : "");
    }

    /** Returns the objects of a grant; a file below the current directory has a relative path. */
    private static String source(NamedGrant grant) {
        String here = Path.of("").toAbsolutePath() + "/";
        return Quoted.shortLine(grant.authorizer()) + ": "
                + Quoted.shortLine(grant.source().replace(here, ""));
    }

    private void more(long leftOut) {
        if (leftOut > 0) {
            report.print("  and " + leftOut + " more");
        }
    }
}
