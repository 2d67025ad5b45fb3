package io.plat.engine.rbac.manifest;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Manifests at a path: the file itself, or the files directly in a directory, sorted by name.
 *
 * <p>Names that begin with a dot are hidden. A directory with the link {@code ..data} is replaced as a whole by changing that link, as kubelet
 * does; the link is followed once, so that all files are of one generation.
 */
public final class ManifestDirectory {
    private static final String GENERATION = "..data";

    private ManifestDirectory() {}

    /**
     * A file to read.
     *
     * @param name its name in messages
     */
    public record Manifest(String name, Path path) {}

    /**
     * Returns the manifests at a path; a path that is not a directory is itself the file, even if it does not exist.
     *
     * @throws ProblemsException if a directory cannot be listed
     */
    public static List<Manifest> manifests(Path path) throws ProblemsException {
        return files(path, FileWatch::isManifest);
    }

    /** Returns the same for other files of a directory. */
    public static List<Manifest> files(Path path, DirectoryStream.Filter<Path> filter) throws ProblemsException {
        if (!Files.isDirectory(path)) {
            return List.of(new Manifest(path.toString(), path));
        }
        try {
            Path generation = path.resolve(GENERATION);
            Path directory = Files.isDirectory(generation) ? generation.toRealPath() : path;
            List<Manifest> manifests = new ArrayList<>();
            for (Path file : sorted(directory, filter)) {
                manifests.add(new Manifest(path.resolve(file.getFileName()).toString(), file));
            }
            return manifests;
        } catch (IOException e) {
            throw new ProblemsException(new Problem(
                    new Location(path.toString(), 0),
                    "cannot list the directory: " + e.getClass().getSimpleName()));
        }
    }

    private static List<Path> sorted(Path directory, DirectoryStream.Filter<Path> filter) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, filter)) {
            entries.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        files.sort(null);
        return files;
    }
}
