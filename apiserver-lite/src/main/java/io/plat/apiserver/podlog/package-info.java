/**
 * Pod logs, read from the files of container runtimes: {@code NAMESPACE_POD_UID/CONTAINER/RUN.log} and rotated ones, each line of the form
 * {@code TIME STREAM TAG TEXT}. Files are read in chunks, regardless of the length of their lines. Nothing outside a pod's own directory is
 * read: symbolic links are followed only within it. Depends only on timestamps.
 */
@NullMarked
package io.plat.apiserver.podlog;

import org.jspecify.annotations.NullMarked;
