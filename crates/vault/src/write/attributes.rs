//! Extended attributes and access lists of a file, which the new file that takes its place keeps.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{
    XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr, fsetxattr,
};
use rustix::io::Errno;

use crate::folder::Folder;

/// Who besides owner, group and others may do what (acl(5)).
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Attributes by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attributes(Vec<(OsString, Vec<u8>)>);

impl Attributes {
    /// Those of a file that can be read and are to be kept. Most files and many file systems have none.
    pub(crate) fn of(folder: &Folder, name: &OsStr) -> Self {
        let read = || -> io::Result<Vec<_>> {
            let file = folder.open_file(name)?;
            let mut list = vec![0; flistxattr_query(&file)?];
            let length = flistxattr(&file, &mut list[..])?;
            list.truncate(length);
            let names = list.split(|byte| *byte == 0).map(OsStr::from_bytes);
            let kept = names.filter(|name| !name.is_empty() && is_kept(name));
            Ok(kept.filter_map(|name| Some((name.to_owned(), value(&file, name)?))).collect())
        };
        Self(read().unwrap_or_default())
    }

    /// Gives them to a file. It goes on without those that the system does not let it have, but never
    /// without an access list: what the mode alone says may let in more people than the list did.
    pub(crate) fn give(&self, file: &File) -> io::Result<()> {
        for (name, value) in &self.0 {
            match fsetxattr(file, name, value, XattrFlags::empty()) {
                Err(error) if name.as_os_str() == ACCESS_LIST => return Err(error.into()),
                Err(error @ (Errno::NOSPC | Errno::DQUOT | Errno::IO)) => return Err(error.into()),
                Err(error) => {
                    tracing::debug!(name = %name.display(), error = %error, "an attribute of a note is lost");
                }
                Ok(()) => {}
            }
        }
        if !self.0.iter().any(|(name, _)| name == ACCESS_LIST) {
            // One that it has from its folder, which the old file did not have. Mostly there is none.
            let _ = fremovexattr(file, ACCESS_LIST);
        }
        Ok(())
    }
}

/// What the system computes from the content or gives to programs stays behind.
fn is_kept(name: &OsStr) -> bool {
    let name = name.as_bytes();
    let is_of_system = [&b"system."[..], b"security.", b"trusted."].iter().any(|own| name.starts_with(own));
    !is_of_system || name == ACCESS_LIST.as_bytes() || name == b"security.selinux"
}

fn value(file: &File, name: &OsStr) -> Option<Vec<u8>> {
    let mut value = vec![0; fgetxattr_query(file, name).ok()?];
    let length = if value.is_empty() { 0 } else { fgetxattr(file, name, &mut value[..]).ok()? };
    value.truncate(length);
    Some(value)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::write::steps::Steps;
    use crate::write::temporary::{Permissions, Temporary};

    /// An access list of version 2: the owner rw-, the user 65534 rw-, the group ---, all of these at most
    /// rw-, others ---.
    const LIST: [u8; 44] = {
        let mut list = [0; 44];
        list[0] = 2;
        let rows: [(u8, u8, u32); 5] =
            [(1, 6, u32::MAX), (2, 6, 65534), (4, 0, u32::MAX), (0x10, 6, u32::MAX), (0x20, 0, u32::MAX)];
        let mut row = 0;
        while row < rows.len() {
            let (tag, rights, id) = rows[row];
            let at = 4 + row * 8;
            list[at] = tag;
            list[at + 2] = rights;
            let id = id.to_le_bytes();
            let mut byte = 0;
            while byte < 4 {
                list[at + 4 + byte] = id[byte];
                byte += 1;
            }
            row += 1;
        }
        list
    };

    #[test]
    fn attributes_and_access_lists_survive_a_new_content() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("note.md");
        std::fs::write(&path, "old").unwrap();
        let file = File::open(&path).unwrap();
        let colour = fsetxattr(&file, "user.colour", b"red", XattrFlags::empty());
        let list = fsetxattr(&file, ACCESS_LIST, &LIST, XattrFlags::empty());
        if colour.is_err() || list.is_err() {
            println!("skipped: attributes or access lists are not to be had here: {colour:?} {list:?}");
            return;
        }
        fsetxattr(&file, "user.empty", b"", XattrFlags::empty()).unwrap();
        drop(file);
        let folder = Folder::open(root.path()).unwrap();
        let like = Permissions::of(&folder, "note.md".as_ref()).unwrap();
        let steps = Steps::default();
        let temporary = Temporary::write(&folder, b"new", Some(like), &steps).unwrap();
        temporary.replace("note.md".as_ref(), b"old").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        let file = File::open(&path).unwrap();
        assert_eq!(value(&file, "user.colour".as_ref()).unwrap(), b"red");
        assert_eq!(value(&file, "user.empty".as_ref()).unwrap(), b"");
        assert_eq!(value(&file, ACCESS_LIST.as_ref()).unwrap(), LIST);
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o660);
    }

    #[test]
    fn a_list_of_the_folder_is_not_given_to_a_file_that_had_none() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("note.md");
        std::fs::write(&path, "old").unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let default = fsetxattr(&folder, "system.posix_acl_default", &LIST, XattrFlags::empty());
        if default.is_err() {
            println!("skipped: access lists are not to be had here: {default:?}");
            return;
        }
        let like = Permissions::of(&folder, "note.md".as_ref()).unwrap();
        let steps = Steps::default();
        let temporary = Temporary::write(&folder, b"new", Some(like), &steps).unwrap();
        temporary.replace("note.md".as_ref(), b"old").unwrap();
        let file = File::open(&path).unwrap();
        assert_eq!(value(&file, ACCESS_LIST.as_ref()), None);
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn what_belongs_to_the_system_stays_behind() {
        for (name, expected) in [
            ("user.x", true),
            ("com.apple.metadata:x", true),
            (ACCESS_LIST, true),
            ("security.selinux", true),
            ("security.capability", false),
            ("security.ima", false),
            ("system.posix_acl_default", false),
            ("trusted.x", false),
        ] {
            assert_eq!(is_kept(name.as_ref()), expected, "{name}");
        }
    }
}
