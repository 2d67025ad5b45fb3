package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.lookup.Frozen;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loader of the policy that the options specify, as a union of modes. Modes with an {@link AuthorizerSource} are opened once. Loads are sequential.
 */
public final class PolicyLoader {
    private final AuthorizationOptions options;
    private final Map<String, AuthorizerSource> sources;
    private final InstantSource clock;
    private final CurrentRbac followed;
    private final Function<UnionAuthorizer, Authorizer> arrangement;
    /**
     * Random name of this process, for policies that are not only in files: role objects of a server, a remote decider, a plug-in. Without it, the
     * revision after a restart could have the name of an earlier one, and clients would keep cached responses of that.
     */
    private final String ofThisProcess;

    private final Map<String, Authorizer> opened = new HashMap<>();
    private final AtomicLong revisions = new AtomicLong();
    private String content = "";

    private PolicyLoader(
            AuthorizationOptions options,
            Map<String, AuthorizerSource> sources,
            InstantSource clock,
            CurrentRbac followed,
            @Nullable Function<UnionAuthorizer, Authorizer> arrangement) {
        this.options = options;
        this.sources = Frozen.copyOf(sources);
        this.clock = clock;
        this.followed = followed;
        this.arrangement = arrangement == null ? modes -> modes : arrangement;
        boolean onlyFiles = arrangement == null
                && options.rbacKubeconfig() == null
                && options.modes().stream().noneMatch(sources::containsKey);
        this.ofThisProcess = onlyFiles ? "" : "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /**
     * Creates a loader for valid options.
     *
     * @param sources authorizers of modes that are not created from files, by mode; one for a built-in mode replaces it
     * @param clock the clock for load times
     * @throws IllegalArgumentException if the options have {@linkplain AuthorizationOptions#problems problems}
     */
    public static PolicyLoader of(
            AuthorizationOptions options, Map<String, AuthorizerSource> sources, InstantSource clock) {
        return of(options, sources, clock, new CurrentRbac());
    }

    /**
     * Creates a loader that includes role objects of a server, in addition to those of the files.
     *
     * @param followed supplies their current state, null until they have been loaded; only called if the options name a server
     * @throws IllegalArgumentException if the options have {@linkplain AuthorizationOptions#problems problems}
     */
    public static PolicyLoader of(
            AuthorizationOptions options,
            Map<String, AuthorizerSource> sources,
            InstantSource clock,
            CurrentRbac followed) {
        List<String> problems = options.problems(sources.keySet());
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new PolicyLoader(options, sources, clock, followed, null);
    }

    /**
     * Returns a loader of policies that combine the modes by an arrangement, such as a configuration file, instead of by their union.
     *
     * @param modesInEffect returns the current arrangement; called often, must be fast
     */
    public PolicyLoader withArrangement(Function<UnionAuthorizer, Authorizer> modesInEffect) {
        return new PolicyLoader(options, sources, clock, followed, modesInEffect);
    }

    /** Returns the files and directories of the policy. */
    public List<Path> paths() {
        return options.paths();
    }

    /**
     * Loads the policy from the current files.
     *
     * @throws ProblemsException with every problem of every file
     */
    public PolicySet load() throws ProblemsException {
        return assemble(read());
    }

    /**
     * Loads the policy without an index, for a few requests: building it would take longer than the requests. Its decisions are those of {@link
     * #load}; its revision has no name.
     *
     * @throws ProblemsException with every problem of every file
     */
    public synchronized PolicySet loadUnindexed() throws ProblemsException {
        PolicyLoad load = new PolicyLoad(options);
        requireParsed(load);
        List<Member> members = options.modes().stream()
                .map(mode -> member(mode, load::unindexed))
                .toList();
        return new PolicySet("", new UnionAuthorizer(members), load.size(), clock.instant(), load.warnings());
    }

    /**
     * Reads the current files.
     *
     * @throws ProblemsException with every problem of every file
     */
    synchronized FilePolicy read() throws ProblemsException {
        return compile(new PolicyLoad(options));
    }

    /** Reads the current files without parsing them. */
    PolicyLoad files() {
        return new PolicyLoad(options);
    }

    /**
     * Returns the policy of the files, or null if they are unchanged since they were last read without problems.
     *
     * @throws ProblemsException with every problem of every file
     */
    synchronized @Nullable FilePolicy readIfChanged(PolicyLoad load) throws ProblemsException {
        boolean same = load.problems().isEmpty() && load.content().equals(content);
        return same ? null : compile(load);
    }

    private FilePolicy compile(PolicyLoad load) throws ProblemsException {
        requireParsed(load);
        load.index();
        List<Member> members = options.modes().stream()
                .map(mode -> member(mode, load::authorizer))
                .toList();
        content = load.content();
        return new FilePolicy(content, new UnionAuthorizer(members), load.roles(), load.size(), load.warnings());
    }

    private void requireParsed(PolicyLoad load) throws ProblemsException {
        load.parse();
        List<Problem> problems = new ArrayList<>(load.problems());
        open(problems);
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
    }

    /** Returns a new revision of the files together with the current role objects of a server. */
    PolicySet assemble(FilePolicy files) {
        String revision = files.content() + ofThisProcess + "-" + revisions.incrementAndGet();
        if (options.rbacKubeconfig() == null) {
            return new PolicySet(
                    revision, arrangement.apply(files.union()), files.size(), clock.instant(), files.warnings());
        }
        @Nullable RbacIndex roles = followed.latest();
        RbacAuthorizer both = RbacAuthorizer.of(files.roles(), followed.pinned(), options.rbacSuperUser());
        PolicySet.Size size = roles == null ? files.size() : files.size().plus(roles.roles(), roles.bindings());
        return new PolicySet(
                revision,
                arrangement.apply(files.union().with(new Member(RbacAuthorizer.MODE, both))),
                size,
                clock.instant(),
                files.warnings());
    }

    private void open(List<Problem> problems) {
        for (String mode : options.modes()) {
            AuthorizerSource source = sources.get(mode);
            if (source != null && !opened.containsKey(mode)) {
                try {
                    opened.put(mode, source.open());
                } catch (ProblemsException e) {
                    problems.addAll(e.problems());
                }
            }
        }
    }

    private Member member(String mode, Function<String, @Nullable Authorizer> ofFiles) {
        Authorizer authorizer = opened.get(mode);
        if (authorizer == null) {
            authorizer = ofFiles.apply(mode);
        }
        if (authorizer == null) {
            throw new IllegalStateException("no authorizer for a mode that was accepted: " + mode);
        }
        return new Member(mode, authorizer);
    }
}
