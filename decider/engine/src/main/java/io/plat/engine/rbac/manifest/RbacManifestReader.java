package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.ApiGroups;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reader of the role objects of any number of files. Used once: after texts are added, {@link #finish} returns all objects or all problems. */
public final class RbacManifestReader {
    /** Prefix of the API groups of ABAC policies, which are in a file by mistake. */
    private static final String ABAC_GROUP = "abac.authorization.";

    private static final String LIST = "List";
    /** Version that Kubernetes uses. */
    private static final String VERSION = ApiGroups.RBAC + "/v1";
    /** The specification's version, with subjects and references in two forms. */
    private static final String EARLIER_VERSION = ApiGroups.RBAC_PLAT + "/v1alpha1";

    private static final Location NOWHERE = new Location("", 0);

    /** Minimum size of a content for parallel reading. */
    private static final int LARGE = 1 << 18;

    private Map<ObjectKey, RbacObject> objects = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Interner interned = new Interner();
    private int lists;

    /**
     * Adds the documents of a text.
     *
     * @param name the file's name in locations
     */
    public void add(String name, String text) {
        add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds the documents of a file's content.
     *
     * @param name the file's name in locations
     * @param content result of {@link SourceReader#readBytes}: invalid UTF-8 is a problem of the content
     */
    public void add(String name, byte[] content) {
        if (content.length < LARGE || !addInParallel(name, content)) {
            addWhole(name, content);
        }
    }

    /** Adds a content object by object; returns false, and adds nothing, if that is impossible or there is a problem. */
    boolean addInParallel(String name, byte[] content) {
        List<RbacManifestReader> parts;
        try {
            parts = ParallelManifestReader.read(name, SourceReader.decode(name, content));
        } catch (ProblemsException _) {
            return false;
        }
        parts.forEach(this::merge);
        return !parts.isEmpty();
    }

    /** Adds the objects of another reader; returns whether it had no problems. */
    boolean merge(RbacManifestReader part) {
        if (objects.isEmpty()) {
            objects = part.objects;
        } else {
            part.objects.values().forEach(this::put);
        }
        warnings.addAll(part.warnings);
        problems.addAll(part.problems);
        return isClean();
    }

    /** Adds a content, parsed as a whole. */
    void addWhole(String name, byte[] content) {
        try {
            addDocuments(SourceReader.readYaml(name, content));
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }

    /** Adds documents, each of which is an object, a list in the API's form or a plain list of those. */
    void addDocuments(List<SourceNode> documents) {
        for (SourceNode document : documents) {
            if (document instanceof SourceNode.Sequence list
                    && list.items().stream().allMatch(SourceNode.Mapping.class::isInstance)) {
                list.items().forEach(item -> document(item, "", ""));
            } else {
                document(document, "", "");
            }
        }
    }

    /** Returns the only added object if there are no problems, else null. */
    @Nullable
    RbacObject only() {
        return objects.size() == 1 && isClean() && warnings.isEmpty()
                ? objects.values().iterator().next()
                : null;
    }

    /** Returns whether there are no problems. */
    boolean isClean() {
        return problems.isEmpty();
    }

    /** Returns whether exactly one list in the API's form was added. */
    boolean hasOneList() {
        return lists == 1;
    }

    /**
     * Returns the objects.
     *
     * @throws ProblemsException with every problem of everything that was added
     */
    public RbacManifests finish() throws ProblemsException {
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        long memory = 0;
        for (RbacObject object : objects.values()) {
            memory += object.bytes();
            if (memory > RbacPolicy.MAX_BYTES) {
                throw new ProblemsException(new Problem(
                        Objects.requireNonNullElse(object.where(), NOWHERE),
                        "the role objects up to here take more than " + RbacPolicy.LIMIT));
            }
        }
        return new RbacManifests(RbacPolicy.of(objects.values()), warnings);
    }

    /** Reads a document, or an item of a list, which may inherit version and kind from the list. */
    private void document(SourceNode node, String listVersion, String listedKind) {
        SourceFields fields = SourceFields.of(node, "", problems);
        if (!(node instanceof SourceNode.Mapping)) {
            return;
        }
        String apiVersion = inherited(fields, "apiVersion", listVersion);
        String kind = inherited(fields, "kind", listedKind);
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            return;
        }
        if (apiVersion.equals("v1") && kind.equals(LIST)) {
            items(fields, "", "");
        } else if (isRbac(apiVersion)) {
            roleObject(node, fields, apiVersion, kind);
        } else {
            String other = Quoted.of(kind) + " of " + Quoted.of(apiVersion) + " is not a role object";
            if (apiVersion.startsWith(ABAC_GROUP)) {
                problems.add(new Problem(node.where(), other));
            } else {
                warnings.add(new Problem(node.where(), "left out: " + other));
            }
        }
    }

    private static String inherited(SourceFields fields, String field, String fromList) {
        return fromList.isEmpty() || fields.has(field) ? fields.requiredString(field) : fromList;
    }

    private static boolean isRbac(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash > 0 && ApiGroups.isRbac(apiVersion.substring(0, slash));
    }

    private void roleObject(SourceNode node, SourceFields fields, String apiVersion, String kind) {
        boolean earlierForm = apiVersion.equals(EARLIER_VERSION);
        if (!earlierForm && !apiVersion.equals(VERSION)) {
            fields.problem(
                    "apiVersion",
                    "unknown version " + Quoted.of(apiVersion) + ", expected \"" + VERSION + "\" or \""
                            + EARLIER_VERSION + "\"");
            return;
        }
        Optional<RbacKind> listed =
                kind.endsWith(LIST) ? RbacKind.of(kind.substring(0, kind.length() - LIST.length())) : Optional.empty();
        if (listed.isPresent()) {
            items(fields, apiVersion, listed.get().kind());
            return;
        }
        Optional<RbacKind> type = RbacKind.of(kind);
        if (type.isPresent()) {
            new ObjectReader(fields, earlierForm, interned, problems)
                    .read(node, type.get())
                    .ifPresent(this::put);
        } else {
            fields.problem(
                    "kind",
                    "unknown kind " + Quoted.of(kind) + ", expected \"Role\", \"ClusterRole\", \"RoleBinding\","
                            + " \"ClusterRoleBinding\" or a list of them");
        }
    }

    private void items(SourceFields list, String apiVersion, String kind) {
        list.ignore("metadata");
        lists++;
        for (SourceNode item : list.list("items")) {
            document(item, apiVersion, kind);
        }
        list.rejectUnknown();
    }

    void put(RbacObject object) {
        RbacObject first = objects.putIfAbsent(object.key(), object);
        if (first != null && object.where() != null) {
            problems.add(new Problem(
                    object.where(),
                    "duplicate " + Quoted.of(object.key().toString()) + ", first in " + first.source()));
        }
    }
}
