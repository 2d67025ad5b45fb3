/**
 * Notices that files changed: a general watch for certificates, policies and configuration.
 *
 * <p>What counts is content. The file system's notifications make the watch quick and a periodic look makes it sure, for nothing
 * notifies about a symbolic link swapped further up, or about another machine's write on a network file system. Depends on SLF4J
 * only.
 */
@NullMarked
package io.plat.tls.files;

import org.jspecify.annotations.NullMarked;
