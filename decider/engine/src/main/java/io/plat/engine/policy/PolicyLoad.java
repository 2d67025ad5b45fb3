package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.ManifestDirectory;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.rbac.manifest.RbacManifests;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One load of the policy files. Each file is read once, so that digest and parsed content agree. */
final class PolicyLoad {
    /** Length of a digest in hexadecimal digits: enough to distinguish states. */
    private static final int DIGITS = 12;

    /** Maximum size of all files together. */
    private static final long MAX_BYTES = 2L * SourceReader.MAX_BYTES;

    private static final String RBAC_GROUP = "rbac.authorization.";
    private static final String HOLDS_RBAC = "this file contains RBAC objects: use --authorization-rbac-path";
    private static final String ABAC_GROUP = "\"abac.authorization.";
    private static final String HOLDS_ABAC = "this file contains ABAC policies: use --authorization-policy-file";

    private final AuthorizationOptions options;
    private final List<Content> abacFiles = new ArrayList<>();
    private final List<Content> rbacFiles = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private long bytes;
    private @Nullable String content;
    private AbacPolicy abac = new AbacPolicy(List.of());
    private RbacPolicy rbac = RbacPolicy.EMPTY;
    private RbacIndex roles = RbacIndex.EMPTY;

    /** Content and name of a file. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Content(String name, byte[] bytes) {}

    /** Reads the files; problems are available from {@link #problems}. */
    PolicyLoad(AuthorizationOptions options) {
        this.options = options;
        Path policyFile = options.policyFile();
        if (policyFile != null) {
            read(policyFile.toString(), policyFile, abacFiles);
        }
        options.rbacPaths().forEach(this::readManifests);
    }

    private void readManifests(Path path) {
        try {
            for (ManifestDirectory.Manifest manifest : ManifestDirectory.manifests(path)) {
                read(manifest.name(), manifest.path(), rbacFiles);
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }

    private void read(String name, Path file, List<Content> files) {
        try {
            byte[] content = SourceReader.readBytes(file);
            bytes += content.length;
            if (bytes <= MAX_BYTES) {
                files.add(new Content(name, content));
            } else {
                String limit = SourceReader.limit(MAX_BYTES);
                problems.add(new Problem(
                        new Location(name, 0), "this and the policy files before it are larger than " + limit));
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }

    /** Returns the digest of the files. */
    String content() {
        if (content == null) {
            content = digest();
        }
        return content;
    }

    private String digest() {
        MessageDigest digest = Sha256.empty();
        add(digest, String.join(",", options.modes()));
        add(digest, options.rbacSuperUser());
        if (options.defaultRoles()) {
            add(digest, KubernetesRoles.LATEST.manifest());
        }
        for (List<Content> files : List.of(abacFiles, rbacFiles)) {
            add(digest, Integer.toString(files.size()));
            for (Content file : files) {
                add(digest, file.name());
                add(digest, file.bytes());
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }

    private static void add(MessageDigest digest, String part) {
        add(digest, part.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a part, preceded by its length, so that different lists of parts never have the same bytes. */
    private static void add(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        digest.update(part);
    }

    /** Parses the files; problems are available from {@link #problems}. */
    void parse() {
        for (Content file : abacFiles) {
            try {
                abac = AbacFile.parse(file.name(), SourceReader.decode(file.name(), file.bytes()));
            } catch (ProblemsException e) {
                problems.addAll(otherFormat(e.problems(), file, RBAC_GROUP, HOLDS_RBAC));
            }
        }
        Path policyFile = options.policyFile();
        if (policyFile != null && abac.lines().isEmpty()) {
            warnings.add(new Problem(new Location(policyFile.toString(), 0), "no policy lines, no access is granted"));
        }
        RbacManifestReader reader = new RbacManifestReader();
        rbacFiles.forEach(file -> reader.add(file.name(), file.bytes()));
        try {
            RbacManifests manifests = reader.finish();
            rbac = options.defaultRoles() ? KubernetesRoles.LATEST.addedTo(manifests.policy()) : manifests.policy();
            warnings.addAll(manifests.warnings());
            if (!options.rbacPaths().isEmpty()
                    && (rbac.bindings().isEmpty() || rbac.roles().isEmpty())) {
                warnings.add(new Problem(
                        new Location(options.rbacPaths().getFirst().toString(), 0),
                        (rbac.bindings().isEmpty() ? "no bindings" : "no roles") + ", no access is granted"));
            }
        } catch (ProblemsException e) {
            List<Problem> manifestProblems = e.problems();
            for (Content file : rbacFiles) {
                manifestProblems = otherFormat(manifestProblems, file, ABAC_GROUP, HOLDS_ABAC);
            }
            problems.addAll(manifestProblems);
        }
    }

    /** Replaces the problems of a file by a single one if the file has the format of the other mode. */
    private static List<Problem> otherFormat(List<Problem> reported, Content file, String group, String message) {
        if (reported.stream().noneMatch(problem -> problem.where().file().equals(file.name()))
                || !new String(file.bytes(), StandardCharsets.ISO_8859_1).contains(group)) {
            return reported;
        }
        List<Problem> replaced = new ArrayList<>(reported);
        replaced.removeIf(problem -> problem.where().file().equals(file.name()));
        replaced.add(new Problem(new Location(file.name(), 0), message));
        return replaced;
    }

    /** Indexes the parsed role objects. */
    void index() {
        roles = RbacIndex.of(rbac);
    }

    /** Returns the same as {@link #authorizer} without an index of role objects, for a few requests. */
    @Nullable
    Authorizer unindexed(String mode) {
        return mode.equals(RbacAuthorizer.MODE)
                ? RbacAuthorizer.unindexed(rbac, options.rbacSuperUser())
                : authorizer(mode);
    }

    /** Returns the authorizer of a built-in mode; null if the mode needs a source. */
    @Nullable
    Authorizer authorizer(String mode) {
        return switch (mode) {
            case AlwaysAllow.MODE -> new AlwaysAllow();
            case AlwaysDeny.MODE -> new AlwaysDeny();
            case AbacAuthorizer.MODE -> new AbacAuthorizer(AbacIndex.of(abac));
            case RbacAuthorizer.MODE -> RbacAuthorizer.of(roles, options.rbacSuperUser());
            default -> null;
        };
    }

    /** Returns the role objects of the files. */
    RbacIndex roles() {
        return roles;
    }

    PolicySet.Size size() {
        return new PolicySet.Size(
                abac.lines().size(), rbac.roles().size(), rbac.bindings().size());
    }

    List<Problem> problems() {
        return problems;
    }

    List<Problem> warnings() {
        return warnings;
    }
}
