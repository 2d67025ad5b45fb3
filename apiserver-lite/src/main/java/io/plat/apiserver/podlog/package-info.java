/**
 * What containers of pods have written, read from the files that container runtimes keep: {@code
 * NAMESPACE_POD_UID/CONTAINER/RUN.log} with rotated ones beside it, each line {@code TIME STREAM TAG TEXT}. Files are read in pieces,
 * however long their lines are. Nothing outside a pod's own folder is read: a symbolic link is followed only to what lies in
 * it. Depends on
 * timestamps alone.
 */
@NullMarked
package io.plat.apiserver.podlog;

import org.jspecify.annotations.NullMarked;
