package io.plat.cli.policy;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.rbac.manifest.RbacManifests;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads two states of one manifest file. Most documents stand in both, and are parsed once: reading YAML is most of what comparing two
 * large policies costs. Where the objects stand is not kept. For two threads, one for each file.
 */
public final class PolicyPair {
    /** Smaller files are read faster than this is begun. */
    private static final long LARGE = 1 << 20;

    private final Map<String, RbacPolicy> parsed = new ConcurrentHashMap<>();
    private final Map<String, String> words = new ConcurrentHashMap<>();

    /** Whether a path is a large manifest file. */
    public static boolean isFor(Path path) {
        try {
            String name = path.toString();
            return (name.endsWith(".yaml") || name.endsWith(".yml"))
                    && Files.isRegularFile(path)
                    && Files.size(path) > LARGE;
        } catch (IOException e) {
            // Whoever reads it says what is wrong with it.
            return false;
        }
    }

    /**
     * The policy of a file, or null where there is anything to say of it: then it has to be read with its lines.
     *
     * @param backwards whether to begin with the last document: who reads the other file meets this one in the middle
     */
    public @Nullable PolicyDocuments read(Path file, boolean backwards) {
        String text;
        try {
            text = SourceReader.readText(file);
        } catch (ProblemsException e) {
            return null;
        }
        List<String> documents = ManifestDocuments.of(text);
        List<RbacPolicy> read = new ArrayList<>(documents.size());
        for (int i = 0; i < documents.size(); i++) {
            RbacPolicy policy = parse(documents.get(backwards ? documents.size() - 1 - i : i));
            if (policy == null) {
                return null;
            }
            read.add(policy);
        }
        return together(backwards ? read.reversed() : read);
    }

    private @Nullable RbacPolicy parse(String document) {
        RbacPolicy known = parsed.get(document);
        if (known == null) {
            RbacBinding plain = PlainBinding.read(document, words);
            known = plain == null ? generally(document) : new RbacPolicy(List.of(), List.of(plain));
            if (known != null) {
                parsed.put(document, known);
            }
        }
        return known;
    }

    private static @Nullable RbacPolicy generally(String document) {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("document.yaml", document);
        try {
            RbacManifests manifests = reader.finish();
            return manifests.warnings().isEmpty() ? manifests.policy() : null;
        } catch (ProblemsException e) {
            return null;
        }
    }

    /** All objects together, or null where two have one key. */
    private static @Nullable PolicyDocuments together(List<RbacPolicy> policies) {
        Set<ObjectKey> keys = HashSet.newHashSet(policies.size());
        List<RbacRole> roles = new ArrayList<>();
        List<RbacBinding> bindings = new ArrayList<>();
        for (RbacPolicy policy : policies) {
            for (RbacRole role : policy.roles()) {
                if (!keys.add(role.key())) {
                    return null;
                }
                roles.add(role);
            }
            for (RbacBinding binding : policy.bindings()) {
                if (!keys.add(binding.key())) {
                    return null;
                }
                bindings.add(binding);
            }
        }
        return new PolicyDocuments(null, new RbacPolicy(roles, bindings), List.of());
    }
}
