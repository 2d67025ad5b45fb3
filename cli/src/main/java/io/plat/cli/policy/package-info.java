/** Policies that commands read: files and directories of either kind, and the role objects of a server. */
@NullMarked
package io.plat.cli.policy;

import org.jspecify.annotations.NullMarked;
