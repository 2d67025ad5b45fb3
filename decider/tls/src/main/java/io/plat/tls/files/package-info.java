/**
 * Detection of changed files: a general watch for certificates, policies and configuration.
 *
 * <p>Only content counts. File system events make the watch quick and polling makes it reliable, as there are no events for a symbolic link
 * swapped in a parent directory, or for another machine's write on a network file system. Depends on SLF4J only.
 */
@NullMarked
package io.plat.tls.files;

import org.jspecify.annotations.NullMarked;
