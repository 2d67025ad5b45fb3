package io.plat.cli.access;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.convert.Manifests;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.ServerSource;
import io.plat.cli.request.SubjectCheck;
import io.plat.cli.request.Subjects;
import io.plat.cli.server.DecodedResponse;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plat why}: the grants of a request, or what is missing. */
@Command(name = "why", mixinStandardHelpOptions = true)
public final class WhyCommand extends PlatCommand {
    /** The start of a note about a grant in a decider's policy. */
    private static final String OF_ANOTHER = "for ";

    @Mixin
    private WhoCanCommand.AccessArguments target = new WhoCanCommand.AccessArguments();

    @Mixin
    private SubjectOptions options = new SubjectOptions();

    @Option(names = "--suggest")
    private boolean suggest;

    @Option(names = "--for", paramLabel = "KIND:NAME")
    private @Nullable String beneficiary;

    @Option(names = "--extend", paramLabel = "ROLE")
    private @Nullable String extended;

    @Override
    public int run(Program plat) {
        checkForm(plat);
        Optional<UserInfo> named =
                beneficiary == null ? options.subject() : Optional.of(user(Subjects.parse("--for", beneficiary)));
        if (named.isEmpty()) {
            options.require(target.decisions.offline());
        }
        DecisionSource source = target.source(plat);
        AccessRequest request = target.request(plat, source);
        UserInfo user = named.isEmpty() && source instanceof ServerSource server
                ? server.connection().currentUser(Map.of()).value()
                : named.orElseThrow();
        named.ifPresent(subject -> target.decisions.refuseUnknown(source, subject, options.groups));
        DecodedResponse<Explanation> answer = source.explain(
                new AccessReview(ReviewKind.ACCESS_EXPLANATION, DecisionSource.REVIEW_VERSION, user, request.access()));
        Explanation explanation = answer.value();
        named.ifPresent(
                subject -> target.decisions.requireKnownUser(source, subject, options.groups, explanation.allowed()));
        plat.warnUnexplained(explanation.findings().unexplained());
        if (suggest) {
            suggest(
                    plat.report(),
                    explanation,
                    new GrantChoices(
                            user,
                            request.access(),
                            explanation.findings().nearMisses().items()));
        } else {
            if (!explanation.allowed() && named.isPresent()) {
                plat.report().warn(SubjectCheck.explainDenial(source, user, options.groups, request.access()));
            }
            plat.print(
                    report -> new ExplanationText(report, user, request.access()).print(explanation),
                    () -> JsonAnswer.of(WhoCanCommand.GrantDocument.structured(answer.json())));
        }
        return explanation.allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    private void checkForm(Program plat) {
        if (suggest && plat.format() == OutputFormat.JSON) {
            throw CommandException.usage(
                    "--suggest: cannot be combined with -o json, which includes the suggestion anyway");
        }
        if (beneficiary != null && extended != null) {
            throw CommandException.usage("--for: cannot be combined with --extend");
        }
        if (!suggest && (beneficiary != null || extended != null)) {
            throw CommandException.usage("--for, --extend: require --suggest");
        }
    }

    /** Returns a user in whose name a grant to the subject is suggested; a group's name stands for a member. */
    private static UserInfo user(SubjectName subject) {
        return Subjects.user(
                Subjects.userName(subject),
                subject.kind() == SubjectName.Kind.GROUP ? List.of(subject.name()) : List.of(),
                false);
    }

    private void suggest(Report report, Explanation explanation, GrantChoices choices) {
        Suggestion suggestion = explanation.findings().suggestion();
        if (explanation.allowed() || suggestion == null) {
            report.warn(
                    explanation.allowed()
                            ? "it is already allowed, so no grant is suggested"
                            : "no grant is suggested");
            return;
        }
        if (suggestion.note().startsWith(OF_ANOTHER)) {
            report.note("the grant belongs to the policy of another program: "
                    + suggestion.note().substring(OF_ANOTHER.length()));
        } else if (!suggestion.note().isEmpty()) {
            report.warn(suggestion.note());
        }
        String text = suggestion.text().stripTrailing();
        if (text.isEmpty()) {
            return;
        }
        if (extended != null) {
            report.print(choices.extension(extended));
        } else if (beneficiary != null && beneficiary.startsWith("group:")) {
            report.print(forGroup(text));
        } else {
            report.print(text);
            choices.lines().forEach(line -> report.note("or " + line));
        }
    }

    /** Returns a grant to a user of a group's name as one to the group. */
    private static String forGroup(String text) {
        String granted = text.startsWith("{")
                ? text.replaceFirst("\"user\":", "\"group\":")
                : text.replaceFirst("(?m)^  - kind: User$", "  - kind: Group");
        if (granted.equals(text)) {
            throw CommandException.undetermined("--for: no grant to this group can be suggested");
        }
        return granted;
    }

    /**
     * Alternatives to a new role for one user: a binding for a group of the user, one more subject of an existing binding, one more rule of an
     * existing role. An existing object is named by a near miss that lacks nothing else.
     */
    record GrantChoices(UserInfo user, AccessAttributes access, List<NearMiss> misses) {
        /** Object name in the source of a grant; names with other characters cannot be used in a command. */
        private static final String NAME = "/(?:([a-z0-9-]+)/)?([\\w:.@-]+)(?= |$)";

        private static final Pattern BINDING = Pattern.compile("\\b((?:Cluster)?RoleBinding)" + NAME);
        private static final Pattern ROLE = Pattern.compile("-> ((?:Cluster)?Role)" + NAME);

        /** An object that Kubernetes creates and restores. */
        private static final Pattern DEFAULT = Pattern.compile("/(?:system:|cluster-admin$)");

        private static final Set<String> OF_SUBJECT = Set.of("user", "group");
        private static final Set<String> OF_RULE =
                Set.of("verb", "apiGroup", "resource", "subresource", "name", "path");

        /** Returns the choices, one line each. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            user.groups().stream()
                    .filter(group -> !group.startsWith("system:"))
                    .forEach(group -> lines.add("--for group:" + Quoted.name(group) + " grants it to that group"));
            patches().keySet().stream()
                    .filter(name -> !DEFAULT.matcher(name).find())
                    .forEach(name -> lines.add("--extend " + name
                            + (name.contains("Binding/")
                                    ? " adds the user, who receives all permissions that it grants"
                                    : " adds the rule, for everybody who has that role")));
            return lines;
        }

        /**
         * Returns the command that extends an object.
         *
         * @param object the object as the choices name it, or only its own name
         * @throws CommandException if that would not allow the request
         */
        String extension(String object) {
            Map<String, String> patches = patches();
            return patches.entrySet().stream()
                    .filter(one -> one.getKey().equals(object) || one.getKey().endsWith("/" + object))
                    .findFirst()
                    .map(Map.Entry::getValue)
                    .orElseThrow(() -> CommandException.undetermined("--extend: " + Quoted.of(object)
                            + " does not exist, or adding to it alone would not allow the request; expected "
                            + (patches.isEmpty()
                                    ? "a new role, as no existing one is known to be that near"
                                    : "one of \"" + String.join("\", \"", patches.keySet()) + "\"")));
        }

        /** Returns the commands, by the kind and name of the object. */
        private Map<String, String> patches() {
            Map<String, String> patches = new TreeMap<>();
            for (NearMiss miss : misses) {
                boolean binding = OF_SUBJECT.containsAll(miss.lacks());
                Matcher target = (binding ? BINDING : ROLE).matcher(miss.grant().source());
                if ((binding || OF_RULE.containsAll(miss.lacks())) && target.find()) {
                    String namespace = Objects.requireNonNullElse(target.group(2), "");
                    Object patch = object(
                            "op", "add",
                            "path", binding ? "/subjects/-" : "/rules/-",
                            "value",
                                    binding
                                            ? Manifests.subject(Subjects.bound(user.name()))
                                            : Manifests.rule(RbacRule.of(access)));
                    // Escaped for single quotes of a shell.
                    String json =
                            new String(JsonAnswer.of(List.of(patch)), StandardCharsets.UTF_8).replace("'", "'\\''");
                    patches.put(
                            target.group(1) + "/" + (namespace.isEmpty() ? "" : namespace + "/") + target.group(3),
                            "kubectl patch " + target.group(1).toLowerCase(Locale.ROOT) + " '" + target.group(3) + "'"
                                    + (namespace.isEmpty() ? "" : " -n " + namespace) + " --type=json -p '" + json
                                    + "'");
                }
            }
            return patches;
        }
    }
}
